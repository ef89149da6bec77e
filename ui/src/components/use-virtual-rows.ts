import { useVirtualizer } from '@tanstack/react-virtual';
import type { RefObject } from 'react';

/** Tells which rows of one height are in sight, with some above and below, to draw those alone. */
export function useVirtualRows(
  scroller: RefObject<HTMLDivElement | null>,
  count: number,
  rowHeight: number,
  overscan: number,
) {
  return useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan,
    // Drawn with the next frame: within the event that scrolls, it would hold that up.
    useFlushSync: false,
  });
}
