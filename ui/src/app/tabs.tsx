import type { ComponentType } from 'react';
import type { ServerView } from '@/backend/bindings';
import { ExtensionsSection } from '@/features/servers/extensions/ExtensionsSection';
import OverviewTab from '@/features/servers/overview/OverviewTab';
import { lazyComponent, loadInTurn } from '@/lib/lazy-component';
import { skillSupport } from '@/state/calls/skills';
import { taskEra } from '@/state/calls/tasks';
import { TABS, type Tab } from '@/state/navigation';
import {
  CheckCount,
  PromptCount,
  QuestionCount,
  ResourceCount,
  SkillCount,
  TaskCount,
  ToolCount,
} from './TabCounts';

type TabContent = ComponentType<{ server: ServerView }>;

/** Facts that decide whether a tab is shown. */
interface TabSubject {
  readonly server: ServerView;
  readonly hasTasks: boolean;
}

/** The view of a server behind a tab. Its name and title are in `TAB_TITLES`. */
interface TabRow {
  readonly Content: TabContent;
  /** Loads the content ahead; absent where it comes with the window. */
  readonly load?: () => Promise<unknown>;
  /** Tells whether a server has any of it; absent where every server does. */
  readonly isShown?: (subject: TabSubject) => boolean;
  /** True if it stays while the user is with it, though the server no longer has any. */
  readonly staysWhileChosen?: true;
  /** The number beside the title. */
  readonly Count?: TabContent;
  /** True if it may hold nothing but text. */
  readonly isToRead?: true;
}

/** Returns a content that comes after the window: its forms and editors are not drawn at first. */
function loadedLater(load: () => Promise<{ readonly default: TabContent }>) {
  return { load, Content: lazyComponent(load, 'default') };
}

/** Each view of a server. */
export const TAB_ROWS: Readonly<Record<Tab, TabRow>> = {
  overview: {
    Content: ({ server }) => (
      <OverviewTab server={server} extensions={<ExtensionsSection server={server} />} />
    ),
    isToRead: true,
  },
  tools: { ...loadedLater(() => import('@/features/calls/tools/ToolsTab')), Count: ToolCount },
  resources: {
    ...loadedLater(() => import('@/features/calls/resources/ResourcesTab')),
    Count: ResourceCount,
  },
  prompts: {
    ...loadedLater(() => import('@/features/calls/prompts/PromptsTab')),
    Count: PromptCount,
  },
  tasks: {
    ...loadedLater(() => import('@/features/calls/tasks/TasksTab')),
    isShown: ({ server, hasTasks }) => hasTasks || taskEra(server) !== null,
    Count: TaskCount,
  },
  skills: {
    ...loadedLater(() => import('@/features/calls/skills/SkillsTab')),
    isShown: ({ server }) => skillSupport(server) === 'declared',
    staysWhileChosen: true,
    Count: SkillCount,
  },
  model: loadedLater(() => import('@/features/clients/ModelTab')),
  questions: {
    ...loadedLater(() => import('@/features/calls/questions/QuestionsTab')),
    Count: QuestionCount,
  },
  auth: { ...loadedLater(() => import('@/features/sign-in/AuthTab')), isToRead: true },
  config: { ...loadedLater(() => import('@/features/setup/ConfigTab')), isToRead: true },
  checks: { ...loadedLater(() => import('./ServerChecks')), Count: CheckCount },
};

export function isTabShown(tab: Tab, subject: TabSubject): boolean {
  return TAB_ROWS[tab].isShown?.(subject) ?? true;
}

/** Returns the tabs to show while `chosen` is the one that the user went to last. */
export function shownTabs(subject: TabSubject, chosen: Tab): readonly Tab[] {
  return TABS.filter(
    (tab) => isTabShown(tab, subject) || (tab === chosen && TAB_ROWS[tab].staysWhileChosen),
  );
}

/**
 * Loads what `lazyComponent` put off, so that no tab has to wait for it later: the tools and their
 * form first, and one after the other, so that the window answers in between.
 */
export async function preloadTabs(): Promise<void> {
  await loadInTurn(() => import('@/features/calls/tools/ToolsTab'));
  await loadInTurn(() => import('@/components/schema-form/SchemaForm'));
  await loadInTurn(() => import('@/features/setup/ConfigView'));
  for (const tab of TABS) {
    const { load } = TAB_ROWS[tab];
    if (load) await loadInTurn(load);
  }
}
