import { Suspense } from 'react';
import type { ServerView } from '@/backend/bindings';
import { Tabs } from '@/components/Tabs';
import { TAB_TITLES, useNavigation } from '@/state/navigation';
import { ErrorBoundary } from '@/widgets/ErrorBoundary';
import styles from './app.module.css';
import { shownTabs, TAB_ROWS, useTabSubject } from './tabs';
import { MORE_TABS } from './texts';

const CLASS_NAMES = {
  tabs: 'stack fill',
  tabList: styles.tabList,
  tab: styles.tab,
  panel: 'fill scroll',
};

/** The views of one server. */
export function ServerTabs({ server }: { server: ServerView }) {
  const chosen = useNavigation((state) => state.tabs[server.id] ?? 'overview');
  const shown = shownTabs(useTabSubject(server), chosen);
  const selectTab = useNavigation((state) => state.selectTab);
  const { Content, isToRead } = TAB_ROWS[chosen];
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
      onSelect={(tab) => selectTab(server.id, tab)}
      more={MORE_TABS}
      isPanelFocusable={isToRead}
      classNames={CLASS_NAMES}
    >
      <ErrorBoundary key={chosen} pane={TAB_TITLES[chosen]}>
        <Suspense>
          <Content server={server} />
        </Suspense>
      </ErrorBoundary>
    </Tabs>
  );
}
