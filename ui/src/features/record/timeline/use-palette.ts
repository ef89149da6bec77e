import { type RefObject, useEffect, useState } from 'react';
import { type Palette, readPalette } from './palette';

/** The colours of the theme, read again when it changes. */
export function usePalette(element: RefObject<HTMLElement | null>): Palette | null {
  const [palette, setPalette] = useState<Palette | null>(null);
  useEffect(() => {
    const read = () => {
      if (element.current) setPalette(readPalette(element.current));
    };
    read();
    const queries = ['(prefers-color-scheme: dark)', '(forced-colors: active)'].map((query) =>
      window.matchMedia(query),
    );
    for (const query of queries) query.addEventListener('change', read);
    const observer = new MutationObserver(read);
    observer.observe(document.documentElement, { attributeFilter: ['data-theme'] });
    return () => {
      for (const query of queries) query.removeEventListener('change', read);
      observer.disconnect();
    };
  }, [element]);
  return palette;
}
