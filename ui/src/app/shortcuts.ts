import { useEffect } from 'react';
import { ACTIONS, type Action, canRun, runAction } from '@/state/actions';

const isMac = /Mac|iPhone|iPad/.test(navigator.platform);

/** Tells whether a key press is the one that `shortcut` describes, for instance `mod+shift+f`. */
export function matchesShortcut(event: KeyboardEvent, shortcut: string): boolean {
  const parts = shortcut.split('+');
  const key = parts.at(-1) ?? '';
  const wants = (name: string) => parts.slice(0, -1).includes(name);
  const mod = isMac ? event.metaKey : event.ctrlKey;
  const otherMod = isMac ? event.ctrlKey : event.metaKey;
  if (mod !== wants('mod') || otherMod || event.altKey !== wants('alt')) return false;
  // Characters such as `?` need Shift on some keyboards and not on others.
  const isCharacter = key.length === 1 && !/[a-z0-9]/.test(key);
  if (!isCharacter && event.shiftKey !== wants('shift')) return false;
  // Where `+` needs Shift, `=` is on the same key.
  const pressed = event.key === '+' ? '=' : event.key.toLowerCase();
  return pressed === key;
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName))
  );
}

/** The action that a key press asks for, if it asks for one here and now. */
export function actionOfKey(event: KeyboardEvent): Action | undefined {
  return ACTIONS.find(
    ({ shortcut }) =>
      shortcut !== undefined &&
      matchesShortcut(event, shortcut) &&
      // What is undone in a field is what was typed there.
      ((/mod\+|(^|\+)f\d+$/.test(shortcut) && !shortcut.endsWith('+z')) || !isTyping(event.target)),
  );
}

/** Makes the shortcuts of the action table work. They rest while a dialog is open. */
export function useShortcuts(): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const action = actionOfKey(event);
      if (!action || document.querySelector('[data-modal]')) return;
      if (!canRun(action.id)) return;
      event.preventDefault();
      event.stopPropagation();
      runAction(action.id);
    };
    // Before any editor sees the key, so that a shortcut means the same everywhere.
    window.addEventListener('keydown', onKeyDown, { capture: true });
    return () => window.removeEventListener('keydown', onKeyDown, { capture: true });
  }, []);
}
