import { Dialog } from '@/components/Dialog';
import { Kbd, Keys } from '@/components/Kbd';
import { ACTIONS } from '@/state/actions';
import { useDialogs } from '@/state/dialogs';
import styles from './app.module.css';

/** Every shortcut, from the one table that also makes them work. */
export function ShortcutSheet() {
  const close = useDialogs((state) => state.close);
  const withShortcut = ACTIONS.filter(
    ({ id, shortcut }) => shortcut !== undefined && !/^server\.[2-9]$/.test(id),
  );
  const groups = [...new Set(withShortcut.map(({ group }) => group))];
  return (
    <Dialog title="Keyboard shortcuts" isOpen width="wide" onClose={close}>
      <div className={styles.shortcuts}>
        {groups.map((group) => (
          <section key={group} className={styles.shortcutGroup}>
            <h3>{group}</h3>
            {withShortcut
              .filter((action) => action.group === group)
              .map(({ id, title, shortcut = '' }) => (
                <div key={id} className={styles.shortcut}>
                  <span>{id === 'server.1' ? 'Go to server 1 to 9' : title}</span>
                  <Kbd shortcut={id === 'server.1' ? 'mod+1…9' : shortcut} />
                </div>
              ))}
          </section>
        ))}
        <section className={styles.shortcutGroup}>
          <h3>Lists</h3>
          {LISTS.map(([title, keys]) => (
            <div key={title} className={styles.shortcut}>
              <span>{title}</span>
              <Keys>{keys}</Keys>
            </div>
          ))}
        </section>
      </div>
    </Dialog>
  );
}

const LISTS = [
  ['Move', '↑ ↓ or j k'],
  ['Open', 'Enter'],
  ['Step outward', 'Esc'],
  ['Next pane', 'Tab'],
] as const;
