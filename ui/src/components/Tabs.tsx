import { type KeyboardEvent, type ReactNode, useId, useRef } from 'react';

interface TabOption<Key extends string> {
  id: Key;
  title: ReactNode;
}

interface TabsProps<Key extends string> {
  /** The accessible name of the row of tabs. */
  label: string;
  tabs: readonly TabOption<Key>[];
  selected: Key;
  onSelect: (tab: Key) => void;
  /** True if the panel itself takes focus, because it may hold nothing that does. */
  isPanelFocusable?: boolean;
  classNames: Record<'tabs' | 'tabList' | 'tab' | 'panel', string | undefined>;
  /** The content of the selected tab. */
  children: ReactNode;
}

/**
 * Tabs, one of which shows its panel. The arrows select, and so does a press: tabs move when a
 * count beside one of them comes, and a press and a release at different tabs make no click.
 *
 * The panel is an element like any other: a component that watches what can have focus in it would
 * walk through it at each change, and with that have it laid out while a list in it scrolls.
 */
export function Tabs<Key extends string>(props: TabsProps<Key>) {
  const { label, tabs, selected, onSelect, isPanelFocusable = false, classNames } = props;
  const id = useId();
  const list = useRef<HTMLDivElement>(null);

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const at = tabs.findIndex((tab) => tab.id === selected);
    const moves: Record<string, number> = {
      ArrowRight: (at + 1) % tabs.length,
      ArrowLeft: (at - 1 + tabs.length) % tabs.length,
      Home: 0,
      End: tabs.length - 1,
    };
    const target = moves[event.key];
    const tab = target === undefined ? undefined : tabs[target];
    if (target === undefined || !tab) return;
    event.preventDefault();
    onSelect(tab.id);
    list.current?.querySelectorAll<HTMLElement>('[role=tab]')[target]?.focus();
  };

  return (
    <div className={classNames.tabs}>
      <div
        ref={list}
        role="tablist"
        aria-label={label}
        aria-orientation="horizontal"
        className={classNames.tabList}
        onKeyDown={onKeyDown}
      >
        {tabs.map((tab) => {
          const isSelected = tab.id === selected;
          return (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the row of tabs takes the keys.
            <div
              key={tab.id}
              id={`${id}-tab-${tab.id}`}
              role="tab"
              tabIndex={isSelected ? 0 : -1}
              aria-selected={isSelected}
              aria-controls={isSelected ? `${id}-panel-${tab.id}` : undefined}
              className={classNames.tab}
              onMouseDown={(event) => {
                if (event.button === 0 && !event.ctrlKey) onSelect(tab.id);
              }}
              // Of an assistive technology; after a press it says nothing new.
              onClick={() => onSelect(tab.id)}
            >
              {tab.title}
            </div>
          );
        })}
      </div>
      <div
        key={selected}
        id={`${id}-panel-${selected}`}
        role="tabpanel"
        aria-labelledby={`${id}-tab-${selected}`}
        tabIndex={isPanelFocusable ? 0 : undefined}
        className={classNames.panel}
      >
        {props.children}
      </div>
    </div>
  );
}
