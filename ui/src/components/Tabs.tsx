import { type ReactNode, useId } from 'react';
import { classes } from './classes';
import { TabList, type TabListProps } from './TabList';

interface TabsProps<Key extends string>
  extends Pick<TabListProps<Key>, 'label' | 'tabs' | 'onSelect' | 'more'> {
  selected: Key;
  /** The tab whose panel is drawn, where that follows the selection a moment later. */
  drawn?: Key;
  /** True if the panel itself takes focus, because it may hold nothing that does. */
  isPanelFocusable?: boolean;
  classNames: Record<'tabs' | 'tabList' | 'tab' | 'panel', string | undefined>;
  /** The content of the selected tab. */
  children: ReactNode;
}

/**
 * Tabs, one of which shows its panel.
 *
 * The panel is an element like any other: a component that watches what can have focus in it would
 * walk through it at each change, and with that have it laid out while a list in it scrolls.
 */
export function Tabs<Key extends string>(props: TabsProps<Key>) {
  const { selected, drawn = selected, isPanelFocusable, classNames, children, ...list } = props;
  const id = useId();
  return (
    <div className={classNames.tabs}>
      <TabList {...list} id={id} selected={selected} classNames={classNames} />
      <div
        key={drawn}
        id={`${id}-panel-${drawn}`}
        role="tabpanel"
        aria-labelledby={`${id}-tab-${drawn}`}
        tabIndex={isPanelFocusable ? 0 : undefined}
        className={classes('relative', classNames.panel)}
      >
        {children}
      </div>
    </div>
  );
}
