import styles from './kbd.module.css';

const isMac = /Mac|iPhone|iPad/.test(navigator.platform);

const MAC: Record<string, string> = { mod: '⌘', shift: '⇧', alt: '⌥', enter: '↵', escape: 'esc' };
const OTHER: Record<string, string> = {
  mod: 'Ctrl',
  shift: 'Shift',
  alt: 'Alt',
  enter: 'Enter',
  escape: 'Esc',
  tab: 'Tab',
};

/** A shortcut such as `mod+shift+f`, as this computer's keyboard names it. */
export function shortcutText(shortcut: string): string {
  const names = isMac ? MAC : OTHER;
  const keys = shortcut
    .split('+')
    .map((key) => names[key] ?? (key.length === 1 && shortcut === key ? key : key.toUpperCase()));
  return keys.join(isMac ? '' : '+');
}

/** Keys that are no shortcut of the action table, as they are to be read. */
export function Keys({ children }: { children: string }) {
  return <kbd className={styles.kbd}>{children}</kbd>;
}

/** A shortcut, shown. */
export function Kbd({ shortcut }: { shortcut: string }) {
  return <kbd className={styles.kbd}>{shortcutText(shortcut)}</kbd>;
}
