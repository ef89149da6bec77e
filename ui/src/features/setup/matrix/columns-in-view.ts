import { type RefObject, useEffect, useMemo, useState } from 'react';

/** The columns from `first` up to, and without, `end`. */
interface ColumnRange {
  first: number;
  end: number;
}

/** Columns drawn beside those that are seen. */
const OVERSCAN = 1;

/**
 * The columns that are seen, and a few beside them. `widths` are the least that they need; where
 * there is more room, they share it in that proportion. `pinned` pixels at the left are covered.
 */
export function columnsInView(
  widths: readonly number[],
  { pinned, width, scrolled }: { pinned: number; width: number; scrolled: number },
): ColumnRange {
  const needed = widths.reduce((sum, one) => sum + one, 0);
  const room = width - pinned;
  const scale = needed > 0 ? Math.max(1, room / needed) : 1;
  let first = widths.length;
  let end = 0;
  let left = 0;
  widths.forEach((least, index) => {
    const right = left + least * scale;
    if (right > scrolled && left < scrolled + room) {
      first = Math.min(first, index);
      end = index + 1;
    }
    left = right;
  });
  return {
    first: Math.max(0, Math.min(first, end) - OVERSCAN),
    end: Math.min(widths.length, end + OVERSCAN),
  };
}

/** The same for what a scroller shows now; drawn again only when other columns come into view. */
export function useColumnsInView(
  scroller: RefObject<HTMLElement | null>,
  widths: readonly number[],
  pinned: number,
  width: number,
): ColumnRange {
  const [scrolled, setScrolled] = useState(0);
  const { first, end } = columnsInView(widths, { pinned, width, scrolled });
  useEffect(() => {
    const { current } = scroller;
    if (!current) return;
    const follow = () => {
      const next = current.scrollLeft;
      setScrolled((before) => {
        const seen = columnsInView(widths, { pinned, width, scrolled: before });
        const now = columnsInView(widths, { pinned, width, scrolled: next });
        return seen.first === now.first && seen.end === now.end ? before : next;
      });
    };
    follow();
    current.addEventListener('scroll', follow, { passive: true });
    return () => current.removeEventListener('scroll', follow);
  }, [scroller, widths, pinned, width]);
  return useMemo(() => ({ first, end }), [first, end]);
}
