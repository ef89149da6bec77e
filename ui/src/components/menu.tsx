import type { ReactElement } from 'react';
import { Menu as AriaMenu, MenuItem, MenuTrigger, Popover, Separator } from 'react-aria-components';
import { Kbd } from './kbd';
import styles from './menu.module.css';

export interface MenuEntry {
  id: string;
  title: string;
  shortcut?: string;
  isDisabled?: boolean;
  /** Removes or destroys something. */
  isDangerous?: boolean;
  run: () => void;
}

export interface MenuProps {
  /** The menu's accessible name. */
  label: string;
  /** The button that opens it. */
  trigger: ReactElement;
  /** Groups of entries, with a line between them. */
  groups: readonly (readonly MenuEntry[])[];
}

/** A menu behind a button. */
export function Menu({ label, trigger, groups }: MenuProps) {
  return (
    <MenuTrigger>
      {trigger}
      <Popover className={styles.popover} offset={4}>
        <AriaMenu aria-label={label} className={styles.menu}>
          {groups.flatMap((group, index) => [
            index > 0 ? <Separator key={`line-${group[0]?.id}`} className={styles.line} /> : null,
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
                <span className={styles.title}>{entry.title}</span>
                {entry.shortcut && <Kbd shortcut={entry.shortcut} />}
              </MenuItem>
            )),
          ])}
        </AriaMenu>
      </Popover>
    </MenuTrigger>
  );
}
