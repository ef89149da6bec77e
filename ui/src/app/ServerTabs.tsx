import { Suspense } from 'react';
import type { ServerView } from '@/backend/bindings';
import { Tabs } from '@/components/Tabs';
import { useLastSeen } from '@/state/calls/lists';
import { useHasTasks } from '@/state/calls/tasks';
import { TAB_TITLES, useNavigation } from '@/state/navigation';
import { ErrorBoundary } from '@/widgets/ErrorBoundary';
import styles from './app.module.css';
import { shownTabs, TAB_ROWS } from './tabs';

const CLASS_NAMES = {
  tabs: 'stack fill',
  tabList: styles.tabList,
  tab: styles.tab,
  panel: 'fill scroll',
};

/** The views of one server. */
export function ServerTabs({ server }: { server: ServerView }) {
  const chosen = useNavigation((state) => state.tabs[server.id] ?? 'overview');
  const shown = shownTabs({ server, hasTasks: useHasTasks(server.id) }, chosen);
  const selected = shown.includes(chosen) ? chosen : 'overview';
  const selectTab = useNavigation((state) => state.selectTab);
  useLastSeen(server);
  const { Content, isToRead } = TAB_ROWS[selected];
  return (
    <Tabs
      label={server.name}
      tabs={shown.map((tab) => {
        const { Count } = TAB_ROWS[tab];
        return {
          id: tab,
          title: (
            <>
              {TAB_TITLES[tab]}
              {Count && <Count server={server} />}
            </>
          ),
        };
      })}
      selected={selected}
      onSelect={(tab) => selectTab(server.id, tab)}
      isPanelFocusable={isToRead}
      classNames={CLASS_NAMES}
    >
      <ErrorBoundary key={selected} pane={TAB_TITLES[selected]}>
        <Suspense>
          <Content server={server} />
        </Suspense>
      </ErrorBoundary>
    </Tabs>
  );
}
