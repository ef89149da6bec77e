import { useLayoutEffect } from 'react';

const NOTHING = { text: '', isEntered: false };

/** The keys that were pressed while the palette was on its way. */
let early = NOTHING;

/** Stands for the palette until it is loaded, and keeps what is typed. Covers the window as it does. */
export function EarlyKeys() {
  useLayoutEffect(() => {
    early = NOTHING;
    const take = (event: KeyboardEvent) => {
      const { key, ctrlKey, metaKey, altKey } = event;
      if (ctrlKey || metaKey || altKey) return;
      if (key === 'Enter') early = { ...early, isEntered: true };
      else if (key.length === 1) early = { text: early.text + key, isEntered: false };
      else return;
      event.preventDefault();
      event.stopPropagation();
    };
    window.addEventListener('keydown', take, true);
    return () => window.removeEventListener('keydown', take, true);
  }, []);
  return <div data-modal hidden />;
}

/** Returns what was typed early, once. */
export function takeEarlyKeys(): typeof NOTHING {
  const taken = early;
  early = NOTHING;
  return taken;
}
