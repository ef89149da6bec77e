const MODIFIERS = ['Control', 'Shift', 'Alt', 'AltGraph', 'Meta'];

let last = 0;

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
    if (!MODIFIERS.includes(event.key)) note();
  };
  window.addEventListener('keydown', noteKey, true);
  window.addEventListener('pointerdown', note, true);
  return () => {
    window.removeEventListener('keydown', noteKey, true);
    window.removeEventListener('pointerdown', note, true);
  };
}
