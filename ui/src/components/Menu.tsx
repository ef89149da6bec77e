import { type ReactElement, type RefObject, useState } from 'react';
import {
  Menu as AriaMenu,
  MenuItem,
  MenuSection,
  MenuTrigger,
  Popover,
  Separator,
} from 'react-aria-components';
import { windowHeight } from '@/lib/window-size';
import { classes } from './classes';
import { Kbd, Keys } from './Kbd';
import styles from './menu.module.css';

export interface MenuEntry {
  id: string;
  title: string;
  shortcut?: string;
  /** Keys that are no shortcut of the action table, as they are to be read. */
  keys?: string;
  isDisabled?: boolean;
  /** Removes or destroys something. */
  isDangerous?: boolean;
  run: () => void;
}

/** Views of the same thing, one of which is shown. */
export interface MenuViews {
  label: string;
  entries: readonly MenuEntry[];
  /** The `id` of the one that is shown. */
  shown: string;
}

interface MenuProps {
  /** The menu's accessible name. */
  label: string;
  /** The button that opens it. */
  trigger: ReactElement;
  /** Stand in a line of their own, above the entries. */
  views?: MenuViews | undefined;
  /** Groups of entries, with a line between them. */
  groups: readonly (readonly MenuEntry[])[];
}

/** Pixels of an entry, and of the edges of a menu. */
const ENTRY_HEIGHT = 26;
const EDGES = 40;

/** A menu behind a button: below or above it, and beside it where only that has room for it whole. */
export function Menu({ trigger, ...entries }: MenuProps) {
  const [isBeside, setBeside] = useState(false);
  const measure = (isOpen: boolean) => {
    if (isOpen) setBeside(entries.groups.flat().length * ENTRY_HEIGHT + EDGES > windowHeight() / 2);
  };
  return (
    <MenuTrigger onOpenChange={measure}>
      {trigger}
      <Popover
        className={styles.popover}
        placement={isBeside ? 'right top' : 'bottom start'}
        offset={4}
      >
        <Entries {...entries} />
      </Popover>
    </MenuTrigger>
  );
}

interface MenuListProps extends Pick<MenuProps, 'label' | 'groups'> {
  /** The element that the menu belongs to, and stands beside. */
  triggerRef: RefObject<Element | null>;
  onClose: () => void;
}

/** A menu that is open, beside what it belongs to. */
export function MenuList({ label, groups, triggerRef, onClose }: MenuListProps) {
  return (
    <Popover
      isOpen
      // Without a button of its own it counts as a dialog, which needs a name.
      aria-label={label}
      triggerRef={triggerRef}
      placement="bottom start"
      offset={2}
      className={styles.popover}
      onOpenChange={(isOpen) => {
        if (!isOpen) onClose();
      }}
    >
      <Entries label={label} groups={groups} onClose={onClose} autoFocus />
    </Popover>
  );
}

interface EntriesProps extends Omit<MenuProps, 'trigger'> {
  autoFocus?: boolean;
  onClose?: () => void;
}

function Entries({ label, views, groups, autoFocus, onClose }: EntriesProps) {
  return (
    <AriaMenu
      aria-label={label}
      className="pad-x-2 pad-y-2 no-outline"
      autoFocus={autoFocus ? 'first' : undefined}
      onClose={onClose}
    >
      {views && (
        <MenuSection
          aria-label={views.label}
          selectionMode="single"
          disallowEmptySelection
          selectedKeys={[views.shown]}
          className={styles.views}
        >
          {views.entries.map(({ id, title, run }) => (
            <MenuItem
              key={id}
              id={id}
              textValue={title}
              onAction={run}
              className={classes(styles.item, styles.view)}
            >
              {title}
            </MenuItem>
          ))}
        </MenuSection>
      )}
      {groups.flatMap((group, index) => [
        index > 0 || views ? (
          <Separator key={`line-${group[0]?.id}`} className={styles.line} />
        ) : null,
        ...group.map((entry) => (
          <MenuItem
            key={entry.id}
            id={entry.id}
            textValue={entry.title}
            isDisabled={entry.isDisabled}
            onAction={entry.run}
            className={styles.item}
            data-dangerous={entry.isDangerous || undefined}
          >
            <span className="flex-1">{entry.title}</span>
            {entry.shortcut && <Kbd shortcut={entry.shortcut} />}
            {entry.keys && <Keys>{entry.keys}</Keys>}
          </MenuItem>
        )),
      ])}
    </AriaMenu>
  );
}
