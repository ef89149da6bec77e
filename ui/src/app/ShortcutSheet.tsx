import { Dialog } from '@/components/Dialog';
import { Kbd } from '@/components/Kbd';
import { useDialogs } from '@/state/dialogs';
import styles from './app.module.css';
import { KEYBOARD } from './keyboard';
import { SHORTCUTS } from './texts';

/** Every key, from the one table that says what each does and where. */
export function ShortcutSheet() {
  const close = useDialogs((state) => state.close);
  const places = [...new Set(KEYBOARD.map(({ where }) => where))];
  return (
    <Dialog title={SHORTCUTS.title} isOpen width="wide" onClose={close}>
      <div className={styles.shortcuts}>
        {places.map((place) => (
          <section key={place} aria-label={place} className={styles.shortcutGroup}>
            <h3>{place}</h3>
            <dl>
              {KEYBOARD.filter(({ where }) => where === place).map(({ does, keys }) => (
                <div key={does} className={styles.shortcut}>
                  <dt>{does}</dt>
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
      </div>
    </Dialog>
  );
}
