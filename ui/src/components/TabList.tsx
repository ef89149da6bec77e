import { ChevronDown } from 'lucide-react';
import {
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { Button } from './Button';
import { classes } from './classes';
import { Menu } from './Menu';
import styles from './tabs.module.css';

interface TabOption<Key extends string> {
  id: Key;
  title: ReactNode;
  /** The title in words, where it is shown in the menu of what does not fit. */
  name?: string;
  /** True if a line stands before it. */
  isApart?: boolean;
}

export interface TabListProps<Key extends string> {
  /** The panel of a tab has the id `${id}-panel-${tab}`, and the tab `${id}-tab-${tab}`. */
  id: string;
  /** The accessible name of the row of tabs. */
  label: string;
  tabs: readonly TabOption<Key>[];
  /** Null where no panel is shown. */
  selected: Key | null;
  onSelect: (tab: Key) => void;
  /** The name of the menu of what does not fit; without it, the row of tabs scrolls. */
  more?: string;
  classNames: Record<'tabList' | 'tab', string | undefined>;
}

/**
 * A row of tabs. The arrows select, and so does a press: tabs move when a count beside one of them
 * comes, and a press and a release at different tabs make no click.
 */
export function TabList<Key extends string>(props: TabListProps<Key>) {
  const { id, label, tabs, selected, onSelect, more, classNames } = props;
  const list = useRef<HTMLDivElement>(null);
  const hidden = useWrapped(list, tabs.map((tab) => tab.id).join(' '), more !== undefined);
  const first = selected ?? tabs[0]?.id;

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const at = tabs.findIndex((tab) => tab.id === first);
    const moves: Record<string, number> = {
      ArrowRight: (at + 1) % tabs.length,
      ArrowLeft: (at - 1 + tabs.length) % tabs.length,
      Home: 0,
      End: tabs.length - 1,
      ...(selected === null ? { Enter: at, ' ': at } : {}),
    };
    const target = moves[event.key];
    const tab = target === undefined ? undefined : tabs[target];
    if (target === undefined || !tab) return;
    event.preventDefault();
    onSelect(tab.id);
    focusTab(list.current, target);
  };

  const row = (
    <div
      ref={list}
      role="tablist"
      aria-label={label}
      aria-orientation="horizontal"
      className={classes(classNames.tabList, more && styles.list)}
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
            tabIndex={tab.id === first ? 0 : -1}
            aria-selected={isSelected}
            aria-controls={isSelected ? `${id}-panel-${tab.id}` : undefined}
            className={classNames.tab}
            data-apart={tab.isApart || undefined}
            data-hidden={hidden.has(tab.id) || undefined}
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
  );
  if (more === undefined) return row;
  return (
    <div className={styles.bar}>
      {row}
      <More {...props} more={more} hidden={hidden} />
    </div>
  );
}

/** Gives the focus to a tab; one that does not fit is in the menu beside the row. */
function focusTab(list: HTMLElement | null, index: number): void {
  const tab = list?.querySelectorAll<HTMLElement>('[role=tab]')[index];
  if (tab?.dataset.hidden === undefined) tab?.focus();
  else list?.parentElement?.querySelector<HTMLElement>(':scope > button')?.focus();
}

const NONE: ReadonlySet<string> = new Set();

/** Returns the tabs that do not fit in the first line of the row, which is all that is seen of it. */
function useWrapped(
  list: RefObject<HTMLElement | null>,
  ids: string,
  isOn: boolean,
): ReadonlySet<string> {
  const [hidden, setHidden] = useState(NONE);
  useLayoutEffect(() => {
    const { current } = list;
    if (!current || !isOn) return;
    const tabs = [...current.querySelectorAll<HTMLElement>('[role=tab]')];
    const known = ids.split(' ');
    const measure = () => {
      const top = tabs[0]?.offsetTop ?? 0;
      const wrapped = known.filter((_, index) => (tabs[index]?.offsetTop ?? top) > top);
      setHidden((before) =>
        before.size === wrapped.length && wrapped.every((id) => before.has(id))
          ? before
          : new Set(wrapped),
      );
    };
    measure();
    const observer = new ResizeObserver(measure);
    for (const element of [current, ...tabs]) observer.observe(element);
    return () => observer.disconnect();
  }, [list, ids, isOn]);
  return hidden;
}

interface MoreProps<Key extends string>
  extends Pick<TabListProps<Key>, 'tabs' | 'selected' | 'onSelect'> {
  more: string;
  hidden: ReadonlySet<string>;
}

/** The tabs that do not fit. It has the name of the selected one where that is among them. */
function More<Key extends string>({ tabs, selected, onSelect, more, hidden }: MoreProps<Key>) {
  const rest = tabs.filter(({ id }) => hidden.has(id));
  const chosen = rest.find(({ id }) => id === selected);
  const trigger = (
    <Button
      variant="quiet"
      className={classes(styles.more, chosen && styles.chosen)}
      isDisabled={rest.length === 0}
    >
      {chosen?.name ?? more}
      <ChevronDown size={12} aria-hidden="true" />
    </Button>
  );
  const entries = rest.map(({ id, name }) => ({ id, title: name ?? id, run: () => onSelect(id) }));
  return <Menu label={more} trigger={trigger} groups={[entries]} />;
}
