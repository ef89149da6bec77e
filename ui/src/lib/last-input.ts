const MODIFIERS = ['Control', 'Shift', 'Alt', 'AltGraph', 'Meta'];

let last = 0;
let byPointer = true;

/** Tells whether the user moved or pressed a pointer after the last key. */
export function wasPointer(): boolean {
  return byPointer;
}

/** Milliseconds since the Unix epoch at which the user last pressed a key or a pointer. */
export function lastInput(): number {
  return last;
}

/** Notes each press from now on, whatever becomes of it. Returns how to stop. */
export function watchInput(): () => void {
  const note = () => {
    last = Date.now();
  };
  const noteKey = (event: KeyboardEvent) => {
    if (MODIFIERS.includes(event.key)) return;
    byPointer = false;
    note();
  };
  const notePointer = () => {
    byPointer = true;
  };
  window.addEventListener('keydown', noteKey, true);
  window.addEventListener('pointerdown', note, true);
  const moves = ['pointerdown', 'pointermove'] as const;
  for (const move of moves) window.addEventListener(move, notePointer, true);
  return () => {
    window.removeEventListener('keydown', noteKey, true);
    window.removeEventListener('pointerdown', note, true);
    for (const move of moves) window.removeEventListener(move, notePointer, true);
  };
}

const SIGNS = ['keydown', 'pointerdown', 'pointermove', 'wheel'] as const;

/** Resolves once the user presses a key, or moves or presses a pointer in the window. */
export function firstSign(): Promise<void> {
  return new Promise((resolve) => {
    const note = (event: Event) => {
      // A window that comes to lie below a pointer at rest is told a move of no distance.
      const isAtRest = event instanceof PointerEvent && event.type === 'pointermove';
      if (isAtRest && event.movementX === 0 && event.movementY === 0) return;
      for (const sign of SIGNS) window.removeEventListener(sign, note, true);
      resolve();
    };
    for (const sign of SIGNS) window.addEventListener(sign, note, { capture: true, passive: true });
  });
}
