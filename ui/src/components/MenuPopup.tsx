import type { RefObject } from 'react';
import { Menu as AriaMenu, MenuItem, MenuSection, Popover, Separator } from 'react-aria-components';
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

/** Properties of a menu that belongs to a button. */
export interface MenuOfButton {
  id: string;
  'aria-labelledby': string;
  /** The entry that has the focus; with `true`, the menu itself. */
  autoFocus: 'first' | 'last' | true;
}

export interface MenuPopupProps {
  /** The menu's accessible name. */
  label: string;
  /** Stand in a line of their own, above the entries. */
  views?: MenuViews | undefined;
  /** Groups of entries, with a line between them. */
  groups: readonly (readonly MenuEntry[])[];
  /** The element that the menu belongs to, and stands beside. */
  triggerRef: RefObject<Element | null>;
  onClose: () => void;
  ofButton?: MenuOfButton;
}

/** Pixels of an entry, and of the edges of a menu. */
const ENTRY_HEIGHT = 26;
const EDGES = 40;

/** A menu that is open: below or above what it belongs to; beside a button where only that has room for it whole. */
export function MenuPopup(props: MenuPopupProps) {
  const { label, views, groups, triggerRef, onClose, ofButton } = props;
  const height = groups.flat().length * ENTRY_HEIGHT + EDGES;
  const isBeside = ofButton !== undefined && height > windowHeight() / 2;
  return (
    <Popover
      isOpen
      trigger={ofButton && 'MenuTrigger'}
      // Without a button of its own it counts as a dialog, which needs a name.
      aria-label={ofButton ? undefined : label}
      aria-labelledby={ofButton?.['aria-labelledby']}
      triggerRef={triggerRef}
      placement={isBeside ? 'right top' : 'bottom start'}
      offset={ofButton ? 4 : 2}
      className={styles.popover}
      onOpenChange={(isOpen) => {
        if (!isOpen) onClose();
      }}
    >
      <AriaMenu
        autoFocus="first"
        onClose={onClose}
        {...ofButton}
        aria-label={label}
        className="pad-x-2 pad-y-2 no-outline"
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
    </Popover>
  );
}
