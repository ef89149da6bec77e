import { useLayoutEffect } from 'react';

/** A text that was pasted while the dialog was on its way. */
let early = '';

/** Takes the text of a paste for which no field of a dialog had the focus yet. */
export function usePasteBesideFields(onPaste: (text: string) => void): void {
  useLayoutEffect(() => {
    const take = (event: ClipboardEvent) => {
      const isTaken =
        event.target instanceof Element &&
        event.target.closest('[data-modal] :is(input, textarea, [contenteditable])') !== null;
      const text = event.clipboardData?.getData('text/plain') ?? '';
      if (isTaken || text === '') return;
      event.preventDefault();
      event.stopPropagation();
      onPaste(text);
    };
    window.addEventListener('paste', take, true);
    return () => window.removeEventListener('paste', take, true);
  });
}

/** Stands for the dialog that adds a server until it is loaded, and keeps what is pasted. Draws nothing. */
export function EarlyPaste() {
  usePasteBesideFields((text) => {
    early = text;
  });
  return null;
}

/** Returns what was pasted early, once. */
export function takeEarlyPaste(): string {
  const text = early;
  early = '';
  return text;
}
