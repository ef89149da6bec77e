import {
  type RefObject,
  useCallback,
  useEffect,
  useLayoutEffect,
  useReducer,
  useRef,
  useState,
} from 'react';
import {
  clampPosition,
  type Extent,
  isScaled,
  lastPosition,
  positionShowing,
  toPhysical,
  toVirtual,
} from './scroll-scale';

interface Options {
  readonly scroller: RefObject<HTMLElement | null>;
  readonly rowCount: number;
  readonly rowHeight: number;
  readonly headerHeight: number;
  /** See `RowSource`. */
  readonly prepended: number;
  readonly generation: number;
  /** True if the last row stays in sight. */
  readonly follow: boolean;
  /** The user scrolled away from the last row, or back to it. */
  readonly onFollowChange: (follow: boolean) => void;
}

/** The scroll position of a table. */
interface ScrollState {
  /** The virtual position of the top edge. */
  readonly position: number;
  /** The distance of virtual positions from those of the elements, see scroll-scale.ts. */
  readonly shift: number;
  readonly viewport: number;
  readonly width: number;
}

interface Place {
  position: number;
  physical: number;
}

/** Pixels from the end that still count as the end: scroll positions may be fractions. */
const END_TOLERANCE = 2;
/** Milliseconds that a push may take to arrive as a scroll. */
const PUSH_TIMEOUT = 200;

/**
 * Keeps a table's virtual scroll position: converts it where the rows are taller than an element
 * may be, keeps it at the end while the table follows, and where it was when rows come in before
 * the first.
 */
export function useScrollPosition(options: Options) {
  const { scroller, rowCount, rowHeight, headerHeight, prepended, generation, follow } = options;
  const [size, setSize] = useState({ viewport: 0, width: 0 });
  /**
   * The last position that the user, or a jump, scrolled to. Not a state: a table that follows is
   * at its end.
   */
  const current = useRef<Place>({ position: 0, physical: 0 });
  const [, draw] = useReducer((count: number) => count + 1, 0);
  /** The moment at which the user last pushed upwards, against a table that follows. */
  const pushedUp = useRef(Number.NEGATIVE_INFINITY);
  const seen = useRef({ prepended, generation });
  const extent: Extent = { content: rowCount * rowHeight, viewport: size.viewport };

  const latest = useRef({ ...options, extent });
  useLayoutEffect(() => {
    latest.current = { ...options, extent };
  });

  const moveTo = useCallback((position: number, physical: number) => {
    const { current: known } = current;
    if (known.position === position && known.physical === physical) return;
    current.current = { position, physical };
    if (!latest.current.follow) draw();
  }, []);

  /** Scrolls there, as the program and not as the user. */
  const scrollTo = useCallback(
    (position: number, within: Extent) => {
      const element = scroller.current;
      const clamped = clampPosition(position, within);
      const physical = toPhysical(clamped, within);
      // Not compared with where the element is: to ask for that has everything laid out at once.
      if (element && current.current.physical !== physical) element.scrollTop = physical;
      moveTo(clamped, physical);
    },
    [moveTo, scroller],
  );

  /** The user is now at `position`. */
  const moved = useCallback((position: number, within: Extent) => {
    const { follow: follows, onFollowChange } = latest.current;
    const isAtEnd = position >= lastPosition(within) - END_TOLERANCE;
    if (isAtEnd !== follows) onFollowChange(isAtEnd);
  }, []);

  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element) return;
    const measure = () =>
      setSize({
        viewport: Math.max(0, element.clientHeight - headerHeight),
        width: element.clientWidth,
      });
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [headerHeight, scroller]);

  useEffect(() => {
    const element = scroller.current;
    if (!element) return;

    const onScroll = () => {
      const physical = element.scrollTop;
      if (Math.abs(physical - current.current.physical) < 1) return;
      // Measured now: where the table grew, the browser scrolled before the observer could say so.
      const within = {
        content: latest.current.extent.content,
        viewport: Math.max(0, element.clientHeight - headerHeight),
      };
      const position = toVirtual(physical, within);
      moveTo(position, physical);
      moved(position, within);
    };

    const onPush = () => {
      pushedUp.current = performance.now();
    };

    // A wheel moves by pixels, also where one pixel of the scrollbar is many rows.
    const onWheel = (event: WheelEvent) => {
      const { extent: within, rowHeight: height } = latest.current;
      if (event.deltaY < 0) onPush();
      if (!isScaled(within) || event.ctrlKey || event.deltaY === 0) return;
      event.preventDefault();
      const unit =
        event.deltaMode === WheelEvent.DOM_DELTA_LINE
          ? height
          : event.deltaMode === WheelEvent.DOM_DELTA_PAGE
            ? within.viewport
            : 1;
      const position = clampPosition(current.current.position + event.deltaY * unit, within);
      // First, so that the position that is asked for is one of the rows that stand still.
      moved(position, within);
      scrollTo(position, within);
    };

    element.addEventListener('scroll', onScroll, { passive: true });
    element.addEventListener('wheel', onWheel, { passive: false });
    // The scrollbar, which is part of the element itself.
    element.addEventListener('pointermove', onPush, { passive: true });
    return () => {
      element.removeEventListener('scroll', onScroll);
      element.removeEventListener('wheel', onWheel);
      element.removeEventListener('pointermove', onPush);
    };
  }, [headerHeight, moved, moveTo, scrollTo, scroller]);

  const { content, viewport } = extent;
  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element || viewport === 0) return;
    const within = { content, viewport };
    const isOther = seen.current.generation !== generation;
    const inserted = isOther ? 0 : prepended - seen.current.prepended;
    seen.current = { prepended, generation };
    if (isOther) {
      scrollTo(lastPosition(within), within);
      return;
    }
    if (!follow) {
      scrollTo(current.current.position + inserted * rowHeight, within);
      return;
    }
    // The user may have scrolled since the last event: that is not to be undone.
    const isPushed = performance.now() - pushedUp.current < PUSH_TIMEOUT;
    if (isPushed && element.scrollTop < current.current.physical - END_TOLERANCE) {
      const position = toVirtual(element.scrollTop, within);
      if (position < lastPosition(within) - END_TOLERANCE) {
        moveTo(position, element.scrollTop);
        moved(position, within);
        return;
      }
    }
    scrollTo(lastPosition(within), within);
  }, [
    content,
    viewport,
    rowHeight,
    prepended,
    generation,
    follow,
    moved,
    moveTo,
    scrollTo,
    scroller,
  ]);

  const showRow = useCallback(
    (index: number) => {
      const { extent: within, rowHeight: height } = latest.current;
      const position = positionShowing(index, current.current.position, height, within);
      moved(position, within);
      scrollTo(position, within);
    },
    [moved, scrollTo],
  );

  // The end is known before the element is scrolled there, so nothing is drawn twice.
  const position = clampPosition(follow ? lastPosition(extent) : current.current.position, extent);
  const physical = follow ? toPhysical(position, extent) : current.current.physical;
  const state: ScrollState = { position, shift: position - physical, ...size };
  return { state, showRow };
}
