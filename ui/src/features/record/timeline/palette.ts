import { type RefObject, useEffect, useState } from 'react';
import type { Outcome } from '@/backend/bindings';

/** The colours and fonts of the theme, as a canvas takes them. */
export interface Palette {
  readonly surface: string;
  readonly text: string;
  readonly faint: string;
  readonly line: string;
  readonly strong: string;
  readonly accent: string;
  readonly outcome: Readonly<Record<Outcome, string>>;
  readonly font: string;
  readonly mono: string;
}

const TOKENS = {
  surface: '--surface-1',
  text: '--text-1',
  faint: '--text-3',
  line: '--line-1',
  strong: '--line-3',
  accent: '--accent',
  ok: '--ok',
  bad: '--bad',
  busy: '--busy',
  idle: '--idle',
} as const;

/** Reads the theme where `element` stands. Only a used colour is one that a canvas understands. */
export function readPalette(element: HTMLElement): Palette {
  const probe = document.createElement('span');
  element.append(probe);
  const used = (name: keyof typeof TOKENS) => {
    probe.style.color = `var(${TOKENS[name]})`;
    return getComputedStyle(probe).color;
  };
  const style = getComputedStyle(element);
  const size = style.getPropertyValue('--size-small').trim() || '11px';
  const bad = used('bad');
  const palette: Palette = {
    surface: used('surface'),
    text: used('text'),
    faint: used('faint'),
    line: used('line'),
    strong: used('strong'),
    accent: used('accent'),
    outcome: {
      pending: used('busy'),
      ok: used('ok'),
      error: bad,
      unanswered: bad,
      cancelled: used('idle'),
      none: used('faint'),
    },
    font: `${size} ${style.getPropertyValue('--font-ui')}`,
    mono: `${size} ${style.getPropertyValue('--font-mono')}`,
  };
  probe.remove();
  return palette;
}

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
