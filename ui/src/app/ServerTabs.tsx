import { type ComponentType, Suspense } from 'react';
import type { ListKind, ServerView } from '@/backend/bindings';
import { Tabs } from '@/components/Tabs';
import { ExtensionsSection } from '@/features/extensions/ExtensionsSection';
import OverviewTab from '@/features/overview/OverviewTab';
import { SurfaceSection } from '@/features/surface/SurfaceSection';
import { formatCount } from '@/lib/format';
import { lazyComponent, loadInTurn } from '@/lib/lazy-component';
import { useList } from '@/state/lists';
import { TABS, type Tab, useNavigation } from '@/state/navigation';
import { useQuestionCount } from '@/state/questions';
import { skillSupport, useSkills } from '@/state/skills';
import { taskEra, useTaskCount, useTasks } from '@/state/tasks';
import { ErrorBoundary } from '@/widgets/ErrorBoundary';
import styles from './app.module.css';

// Forms, editors and schemas are not needed to draw the window for the first time.
const AuthTab = lazyComponent(() => import('@/features/auth/AuthTab'), 'default');
const ConfigTab = lazyComponent(() => import('@/features/config/ConfigTab'), 'default');
const ToolsTab = lazyComponent(() => import('@/features/tools/ToolsTab'), 'default');
const ResourcesTab = lazyComponent(() => import('@/features/resources/ResourcesTab'), 'default');
const PromptsTab = lazyComponent(() => import('@/features/prompts/PromptsTab'), 'default');
const QuestionsTab = lazyComponent(() => import('@/features/questions/QuestionsTab'), 'default');
const TasksTab = lazyComponent(() => import('@/features/tasks/TasksTab'), 'default');
const SkillsTab = lazyComponent(() => import('@/features/skills/SkillsTab'), 'default');
const ModelTab = lazyComponent(() => import('@/features/model/ModelTab'), 'default');
const TestingTab = lazyComponent(() => import('@/features/testing/TestingTab'), 'default');

/**
 * Loads what `lazy` put off, so that no tab has to wait for it later: the tools and their form
 * first, and one after the other, so that the window answers in between.
 */
export async function preloadTabs(): Promise<void> {
  await loadInTurn(() => import('@/features/tools/ToolsTab'));
  await loadInTurn(() => import('@/features/auth/AuthTab'));
  await loadInTurn(() => import('@/features/config/ConfigView'));
  await loadInTurn(() => import('@/features/config/ConfigTab'));
  await loadInTurn(() => import('@/components/schema-form/SchemaForm'));
  await loadInTurn(() => import('@/features/resources/ResourcesTab'));
  await loadInTurn(() => import('@/features/prompts/PromptsTab'));
  await loadInTurn(() => import('@/features/skills/SkillsTab'));
  await loadInTurn(() => import('@/features/model/ModelTab'));
  await loadInTurn(() => import('@/features/questions/QuestionsTab'));
  await loadInTurn(() => import('@/features/tasks/TasksTab'));
  await loadInTurn(() => import('@/features/testing/TestingTab'));
}

const TITLES: Record<Tab, string> = {
  overview: 'Overview',
  tools: 'Tools',
  resources: 'Resources',
  prompts: 'Prompts',
  tasks: 'Tasks',
  skills: 'Skills',
  model: 'Model',
  questions: 'Questions',
  auth: 'Auth',
  config: 'Config',
  testing: 'Testing',
};

const CONTENT: Record<Tab, ComponentType<{ server: ServerView }>> = {
  overview: OverviewOfAll,
  tools: ToolsTab,
  resources: ResourcesTab,
  prompts: PromptsTab,
  tasks: TasksTab,
  skills: SkillsTab,
  model: ModelTab,
  questions: QuestionsTab,
  auth: AuthTab,
  config: ConfigTab,
  testing: TestingTab,
};

/** Tabs that may hold nothing but text. */
const TO_READ: readonly Tab[] = ['overview', 'auth', 'config'];

const CLASS_NAMES = {
  tabs: 'stack fill',
  tabList: styles.tabList,
  tab: styles.tab,
  panel: 'fill scroll',
};

/** The views of one server. */
export function ServerTabs({ server }: { server: ServerView }) {
  const chosen = useNavigation((state) => state.tabs[server.id] ?? 'overview');
  const hasTasks = useTasks(({ tasks }) => tasks.some((task) => task.server === server.id));
  // Tabs of what a server need not have are shown where it has it, and where the user is with it.
  const isShown = (tab: Tab) => {
    switch (tab) {
      case 'tasks':
        return hasTasks || taskEra(server) !== null;
      case 'skills':
        return chosen === 'skills' || skillSupport(server) === 'declared';
      default:
        return true;
    }
  };
  const selected = isShown(chosen) ? chosen : 'overview';
  const selectTab = useNavigation((state) => state.selectTab);
  const Content = CONTENT[selected];
  return (
    <Tabs
      label={server.name}
      tabs={TABS.filter(isShown).map((tab) => ({
        id: tab,
        title: (
          <>
            {TITLES[tab]}
            <TabCount server={server} tab={tab} />
          </>
        ),
      }))}
      selected={selected}
      onSelect={(tab) => selectTab(server.id, tab)}
      isPanelFocusable={TO_READ.includes(selected)}
      classNames={CLASS_NAMES}
    >
      <ErrorBoundary key={selected} pane={TITLES[selected]}>
        <Suspense>
          <Content server={server} />
        </Suspense>
      </ErrorBoundary>
    </Tabs>
  );
}

function OverviewOfAll({ server }: { server: ServerView }) {
  return (
    <OverviewTab
      server={server}
      changes={<SurfaceSection server={server} />}
      extensions={<ExtensionsSection server={server} />}
    />
  );
}

function TabCount({ server, tab }: { server: ServerView; tab: Tab }) {
  switch (tab) {
    case 'tools':
    case 'prompts':
      return <ListCount server={server} lists={[tab]} />;
    case 'resources':
      return <ListCount server={server} lists={['resources', 'resource_templates']} />;
    case 'tasks':
      return <TaskCount server={server} />;
    case 'skills':
      return <SkillCount server={server} />;
    case 'questions':
      return <QuestionCount server={server} />;
    default:
      return null;
  }
}

interface ListCountProps {
  server: ServerView;
  lists: readonly [ListKind, ListKind?];
}

function ListCount({ server, lists: [first, second] }: ListCountProps) {
  const one = useList(server.id, first);
  const other = useList(server.id, second ?? first);
  const isLive = !['disconnected', 'failed'].includes(server.status.phase);
  if (!one || !isLive || one.state.state === 'unsupported') return null;
  const count = one.count + (second ? (other?.count ?? 0) : 0);
  return (
    <span className={styles.count} aria-hidden="true">
      {formatCount(count)}
    </span>
  );
}

function TaskCount({ server }: { server: ServerView }) {
  const count = useTaskCount(server.id);
  if (count === 0) return null;
  return (
    <span className={styles.count} aria-hidden="true">
      {count}
    </span>
  );
}

function SkillCount({ server }: { server: ServerView }) {
  const count = useSkills((state) => state.lists[server.id]?.view?.skills.length);
  if (count === undefined || skillSupport(server) !== 'declared') return null;
  return (
    <span className={styles.count} aria-hidden="true">
      {formatCount(count)}
    </span>
  );
}

function QuestionCount({ server }: { server: ServerView }) {
  const count = useQuestionCount(server.id);
  if (count === 0) return null;
  return (
    <span className={styles.count} data-waiting aria-hidden="true">
      {count}
    </span>
  );
}
