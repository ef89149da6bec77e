import type { ComponentType } from 'react';
import type { ListChange, ListKind, ServerView } from '@/backend/bindings';
import { TaskStrip } from '@/features/calls/tasks/TaskStrip';
import OverviewTab from '@/features/servers/overview/OverviewTab';
import { lazyComponent, loadInTurn } from '@/lib/lazy-component';
import { useLists } from '@/state/calls/lists';
import { skillSupport } from '@/state/calls/skills';
import { useHasTasks } from '@/state/calls/tasks';
import { TABS, type Tab } from '@/state/navigation';
import { isLive } from '@/state/servers/phases';
import { CheckCount, countOf, SkillCount, TaskCount } from './TabCounts';

type TabContent = ComponentType<{ server: ServerView }>;

/** Facts that decide whether a tab is shown. */
export interface TabSubject {
  readonly server: ServerView;
  readonly lists: Partial<Record<ListKind, ListChange>> | undefined;
  readonly hasTasks: boolean;
}

/** The facts about a server that decide which of its tabs are shown. */
export function useTabSubject<Server extends ServerView | undefined>(server: Server) {
  const lists = useLists((state) => (server ? state.byServer[server.id] : undefined));
  return { server, lists, hasTasks: useHasTasks(server?.id) };
}

/** The view of a server behind a tab. Its name and title are in `TAB_TITLES`. */
interface TabRow {
  readonly Content: TabContent;
  /** Loads the content ahead; absent where it comes with the window. */
  readonly load?: () => Promise<unknown>;
  /** Tells whether a server has any of it; absent where every server does. */
  readonly isShown?: (subject: TabSubject) => boolean;
  /** The number beside the title. */
  readonly Count?: TabContent;
  /** True if it may hold nothing but text. */
  readonly isToRead?: true;
  /** True if another question begins with it, so that a line stands before it. */
  readonly isApart?: true;
}

/** Returns a content that comes after the window: its forms and editors are not drawn at first. */
function loadedLater(load: () => Promise<{ readonly default: TabContent }>) {
  const Content = lazyComponent(load, 'default');
  return { load: Content.load, Content };
}

const tools = loadedLater(() => import('@/features/calls/tools/ToolsTab'));

/** Tells whether a server offers a list, with or without items. */
function offers({ lists }: TabSubject, list: ListKind): boolean {
  const state = lists?.[list]?.state.type;
  return state !== undefined && state !== 'unsupported';
}

/** Tells whether a list has items, or could not be read. */
function hasItems(subject: TabSubject, list: ListKind): boolean {
  const known = subject.lists?.[list];
  return offers(subject, list) && (known?.count !== 0 || known.state.type === 'failed');
}

/** Tells whether a server was connected, so that there is something to look at. */
function wasConnected({ server, lists }: TabSubject): boolean {
  return isLive(server.status.phase) || Object.keys(lists ?? {}).length > 0;
}

/** Each view of a server. */
export const TAB_ROWS: Readonly<Record<Tab, TabRow>> = {
  overview: { Content: OverviewTab, isToRead: true },
  tools: {
    load: tools.load,
    Content: ({ server }) => (
      <div className="pane">
        <TaskStrip server={server} />
        <div className="fill">
          <tools.Content server={server} />
        </div>
      </div>
    ),
    isShown: (subject) => offers(subject, 'tools'),
    Count: countOf('tools'),
  },
  resources: {
    ...loadedLater(() => import('@/features/calls/resources/ResourcesTab')),
    isShown: (subject) => hasItems(subject, 'resources') || hasItems(subject, 'resourceTemplates'),
    Count: countOf('resources', 'resourceTemplates'),
  },
  prompts: {
    ...loadedLater(() => import('@/features/calls/prompts/PromptsTab')),
    isShown: (subject) => hasItems(subject, 'prompts'),
    Count: countOf('prompts'),
  },
  skills: {
    ...loadedLater(() => import('@/features/calls/skills/SkillsTab')),
    isShown: ({ server }) => skillSupport(server) === 'declared',
    Count: SkillCount,
  },
  tasks: {
    ...loadedLater(() => import('@/features/calls/tasks/TasksTab')),
    isShown: ({ hasTasks }) => hasTasks,
    Count: TaskCount,
  },
  clients: {
    ...loadedLater(() => import('@/features/clients/InClientsTab')),
    isShown: wasConnected,
    isApart: true,
  },
  checks: {
    ...loadedLater(() => import('./ServerChecks')),
    isShown: wasConnected,
    Count: CheckCount,
  },
  settings: { ...loadedLater(() => import('./SettingsTab')), isToRead: true },
};

/** Tells whether a server has something to show in a tab. */
export function isTabShown(tab: Tab, subject: TabSubject): boolean {
  return TAB_ROWS[tab].isShown?.(subject) ?? true;
}

/**
 * Returns the tabs to show while `chosen` is the one that the user went to last: that one stays,
 * also while what it shows is gone, as during a restart.
 */
export function shownTabs(subject: TabSubject, chosen: Tab): readonly Tab[] {
  return TABS.filter((tab) => tab === chosen || isTabShown(tab, subject));
}

/** Loads the tools and their form ahead. */
export async function preloadTools(): Promise<void> {
  await tools.load();
  await loadInTurn(() => import('@/components/schema-form/SchemaForm'));
}

/** Loads the tabs ahead. */
export async function preloadTabs(): Promise<void> {
  await loadInTurn(() => import('@/features/setup/SetupView'));
  for (const tab of TABS) {
    const { load } = TAB_ROWS[tab];
    await load?.();
  }
}
