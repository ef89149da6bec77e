import type { KeyboardEvent } from 'react';

const ARROWS: Record<string, string> = { j: 'ArrowDown', k: 'ArrowUp' };

/** Lets j and k move in a list as the arrows do. For `onKeyDownCapture` of what holds it. */
export function moveByLetters(event: KeyboardEvent<HTMLElement>): void {
  const arrow = ARROWS[event.key];
  if (!arrow || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  event.stopPropagation();
  event.target.dispatchEvent(
    new window.KeyboardEvent('keydown', { key: arrow, bubbles: true, cancelable: true }),
  );
}
