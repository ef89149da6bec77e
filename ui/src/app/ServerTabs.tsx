import { type ComponentType, lazy, Suspense } from 'react';
import { Tab as AriaTab, TabList, TabPanel, Tabs } from 'react-aria-components';
import type { ListKind, ServerView } from '@/backend/bindings';
import AuthTab from '@/features/auth/AuthTab';
import ConfigTab from '@/features/config/ConfigTab';
import OverviewTab from '@/features/overview/OverviewTab';
import { formatCount } from '@/lib/format';
import { useList } from '@/state/lists';
import { TABS, type Tab, useNavigation } from '@/state/navigation';
import { useRequestCount } from '@/state/requests';
import styles from './app.module.css';

// Forms, editors and schemas are not needed to draw the window for the first time.
const ToolsTab = lazy(() => import('@/features/tools/ToolsTab'));
const ResourcesTab = lazy(() => import('@/features/resources/ResourcesTab'));
const PromptsTab = lazy(() => import('@/features/prompts/PromptsTab'));
const RequestsTab = lazy(() => import('@/features/requests/RequestsTab'));

/** Loads what `lazy` put off, so that no tab has to wait for it later. */
export function preloadTabs(): void {
  void import('@/features/tools/ToolsTab');
  void import('@/features/resources/ResourcesTab');
  void import('@/features/prompts/PromptsTab');
  void import('@/features/requests/RequestsTab');
}

const TITLES: Record<Tab, string> = {
  overview: 'Overview',
  tools: 'Tools',
  resources: 'Resources',
  prompts: 'Prompts',
  requests: 'Requests',
  auth: 'Auth',
  config: 'Config',
};

const CONTENT: Record<Tab, ComponentType<{ server: ServerView }>> = {
  overview: OverviewTab,
  tools: ToolsTab,
  resources: ResourcesTab,
  prompts: PromptsTab,
  requests: RequestsTab,
  auth: AuthTab,
  config: ConfigTab,
};

/** The views of one server. */
export function ServerTabs({ server }: { server: ServerView }) {
  const selected = useNavigation((state) => state.tabs[server.id] ?? 'overview');
  const selectTab = useNavigation((state) => state.selectTab);
  return (
    <Tabs
      className={styles.tabs}
      selectedKey={selected}
      onSelectionChange={(key) => selectTab(server.id, key as Tab)}
    >
      <TabList aria-label={server.name} className={styles.tabList}>
        {TABS.map((tab) => (
          <AriaTab key={tab} id={tab} className={styles.tab}>
            {TITLES[tab]}
            <TabCount server={server} tab={tab} />
          </AriaTab>
        ))}
      </TabList>
      {TABS.map((tab) => {
        const Content = CONTENT[tab];
        return (
          <TabPanel key={tab} id={tab} className={styles.panel}>
            <Suspense>
              <Content server={server} />
            </Suspense>
          </TabPanel>
        );
      })}
    </Tabs>
  );
}

function TabCount({ server, tab }: { server: ServerView; tab: Tab }) {
  switch (tab) {
    case 'tools':
    case 'prompts':
      return <ListCount server={server} lists={[tab]} />;
    case 'resources':
      return <ListCount server={server} lists={['resources', 'resource_templates']} />;
    case 'requests':
      return <RequestCount server={server} />;
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

function RequestCount({ server }: { server: ServerView }) {
  const count = useRequestCount(server.id);
  if (count === 0) return null;
  return (
    <span className={styles.count} data-waiting aria-hidden="true">
      {count}
    </span>
  );
}
