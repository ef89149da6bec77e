import { Dialog } from '@/components/Dialog';
import { Kbd } from '@/components/Kbd';
import { useClose } from '@/state/dialogs';
import styles from './app.module.css';
import { KEYBOARD } from './keyboard';
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
