import { type ComponentType, memo, Suspense, useDeferredValue } from 'react';
import type { ServerView } from '@/backend/bindings';
import { Tabs } from '@/components/Tabs';
import { SurfaceBanner } from '@/features/checks/SurfaceBanner';
import { BrokenFile } from '@/features/servers/list/BrokenFile';
import { RestartNote } from '@/features/servers/list/RestartNote';
import { Welcome } from '@/features/servers/list/Welcome';
import { lazyComponent } from '@/lib/lazy-component';
import { useLastSeen } from '@/state/calls/lists';
import { type Place, TAB_TITLES, type Tab, useNavigation } from '@/state/navigation';
import { fileOfKey } from '@/state/servers/groups';
import { useServer, useServers } from '@/state/servers/servers';
import { ErrorBoundary } from '@/widgets/ErrorBoundary';
import styles from './app.module.css';
import { ServerHeader } from './ServerHeader';
import { shownTabs, TAB_ROWS, useTabSubject } from './tabs';
import { MORE_TABS } from './texts';

// The editor and the dialogs of the configuration are not needed to draw the window.
const TestsView = lazyComponent(() => import('@/features/tests/TestsView'), 'default');
const ClientGets = lazyComponent(() => import('@/features/clients/ClientGets'), 'default');
const SessionPane = lazyComponent(
  () => import('@/features/record/sessions/SessionPane'),
  'default',
);
const SetupView = lazyComponent(() => import('@/features/setup/SetupView'), 'default');

/** Places that are about no single server. */
const PLACES: Readonly<Record<Exclude<Place, 'server'>, { pane: string; View: ComponentType }>> = {
  setup: { pane: 'Setup', View: () => <SetupView ClientGets={ClientGets} /> },
  tests: { pane: 'Tests', View: TestsView },
  session: { pane: 'Session file', View: SessionPane },
};

/** The selection of the sidebar: a place about all servers, a session file, a server, a broken file, or nothing. */
export function MainPane() {
  const place = useNavigation((state) => state.place);
  if (place === 'server') return <ServerPane />;
  const { pane, View } = PLACES[place];
  return (
    <div key={place} className="stack min-w-0 h-full surface-1" data-main>
      <ErrorBoundary pane={pane}>
        <Suspense>
          <View />
        </Suspense>
      </ErrorBoundary>
    </div>
  );
}

function ServerPane() {
  const key = useNavigation((state) => state.server);
  const server = useServer(key);
  const file = useServers((state) => fileOfKey(key, state.files));
  return (
    <div className="stack min-w-0 h-full surface-1" data-main>
      {server ? (
        <>
          <ErrorBoundary key={`header of ${server.id}`} pane="Server header">
            <ServerHeader server={server} />
          </ErrorBoundary>
          <RestartNote server={server.id} />
          <SurfaceBanner key={`surface of ${server.id}`} server={server} />
          <ServerTabs key={server.id} server={server} />
        </>
      ) : file ? (
        <BrokenFile file={file} />
      ) : (
        <Welcome />
      )}
    </div>
  );
}

const CLASS_NAMES = {
  tabs: 'stack fill',
  tabList: styles.tabList,
  tab: styles.tab,
  panel: 'fill scroll',
};

/** The views of one server. */
function ServerTabs({ server }: { server: ServerView }) {
  const chosen = useNavigation((state) => state.tabs[server.id] ?? 'overview');
  const shown = shownTabs(useTabSubject(server), chosen);
  const selectTab = useNavigation((state) => state.selectTab);
  useLastSeen(server);
  // A list, a form and a result take several frames: they are drawn in pieces, while what stands
  // there for now stays.
  const drawn = useDeferredValue(chosen);
  const panel = <TabPanel key={drawn} tab={drawn} server={useDeferredValue(server)} />;
  return (
    <Tabs
      label={server.name}
      tabs={shown.map((tab) => {
        const { Count, isApart } = TAB_ROWS[tab];
        return {
          id: tab,
          name: TAB_TITLES[tab],
          isApart,
          title: (
            <>
              {TAB_TITLES[tab]}
              {Count && <Count server={server} />}
            </>
          ),
        };
      })}
      selected={chosen}
      drawn={drawn}
      onSelect={(tab) => selectTab(server.id, tab)}
      more={MORE_TABS}
      isPanelFocusable={TAB_ROWS[drawn].isToRead}
      classNames={CLASS_NAMES}
    >
      {panel}
    </Tabs>
  );
}

/** The content of a tab. It does not depend on which tab is selected meanwhile. */
const TabPanel = memo(function TabPanel({ tab, server }: { tab: Tab; server: ServerView }) {
  const { Content } = TAB_ROWS[tab];
  return (
    <ErrorBoundary pane={TAB_TITLES[tab]}>
      <Suspense>
        <Content server={server} />
      </Suspense>
    </ErrorBoundary>
  );
});
