import { Dialog } from '@/components/Dialog';
import { Kbd } from '@/components/Kbd';
import { ACTIONS, type ActionId, KEY_PLACES } from '@/state/actions';
import { useClose } from '@/state/dialogs';
import styles from './app.module.css';
import { SHORTCUTS } from './texts';

/** Every key, from the one table that says what each does and where. */
export function ShortcutSheet() {
  const close = useClose();
  const groups = [...new Set(KEYBOARD.map(({ group }) => group))];
  return (
    <Dialog title={SHORTCUTS.title} isOpen width="wide" onClose={close}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys scroll what has the focus */}
      <section tabIndex={0} aria-label={SHORTCUTS.title} className={styles.shortcuts}>
        {groups.map((heading) => (
          <section key={heading} aria-label={heading} className={styles.shortcutGroup}>
            <h3>{heading}</h3>
            <dl>
              {KEYBOARD.filter(({ group }) => group === heading).map(({ does, keys, place }) => (
                <div key={does} className={styles.shortcut}>
                  <dt>{does}</dt>
                  <dd className={styles.shortcutPlace}>{place}</dd>
                  <dd>
                    {keys.map((key) => (
                      <Kbd key={key} shortcut={key} />
                    ))}
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </section>
    </Dialog>
  );
}

/** A key, where it holds, and what it does. */
interface KeyRow {
  readonly does: string;
  /** A shortcut such as `mod+k`, or keys as they are to be read. */
  readonly keys: readonly string[];
  /** Heading under which it stands. */
  readonly group: string;
  /** Place in which it acts; nothing happens elsewhere. */
  readonly place: string;
}

/** Shortcuts that are told in one row with another one. */
const TOLD_WITH_OTHERS: readonly ActionId[] = [
  'palette.jump',
  'pane.previous',
  ...([2, 3, 4, 5, 6, 7, 8, 9] as const).map((number): ActionId => `server.${number}`),
];

/** Keys that hold in one kind of place, and are no action. */
const IN_PLACES: readonly Omit<KeyRow, 'place'>[] = [
  { group: 'Lists', keys: ['↑', '↓', 'j', 'k'], does: 'Move' },
  { group: 'Lists', keys: ['enter'], does: 'Open' },
  { group: 'Lists', keys: ['escape'], does: 'Step outward' },
  { group: 'Lists', keys: ['←', '→'], does: 'Collapse or expand a group' },
  { group: 'Filters', keys: ['↓'], does: 'Leave the filter for its rows' },
  { group: 'Filters', keys: ['escape'], does: 'Empty the filter' },
  { group: 'Traffic', keys: ['tab'], does: 'Complete the filter' },
  { group: 'Traffic', keys: ['←', '→'], does: 'Fold or unfold the rows of a call' },
  { group: 'Dialogs', keys: ['mod+enter', 'mod+s'], does: 'Confirm' },
  { group: 'Dialogs', keys: ['escape'], does: 'Close; asks if something was typed' },
  { group: 'Palette', keys: ['>'], does: 'Actions only' },
];

/**
 * The contract of the keyboard: every key, where it holds and what it does. The shortcut sheet is
 * drawn from it, and a browser test presses each.
 */
const KEYBOARD: readonly KeyRow[] = [
  ...ACTIONS.flatMap(({ id, title, group, shortcut, place }): KeyRow[] => {
    if (shortcut === undefined || TOLD_WITH_OTHERS.includes(id)) return [];
    const row = { group, place: KEY_PLACES[place], keys: [shortcut], does: title };
    switch (id) {
      case 'palette.open':
        return [{ ...row, keys: [shortcut, 'mod+p'] }];
      case 'pane.next':
        return [{ ...row, keys: [shortcut, 'shift+f6'], does: 'Next or previous pane' }];
      case 'server.1':
        return [{ ...row, keys: ['mod+1…9'], does: 'Go to server 1 to 9' }];
      default:
        return [row];
    }
  }),
  ...IN_PLACES.map((row) => ({ ...row, place: row.group })),
];
