import {
  type RefCallback,
  type RefObject,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useReducer,
  useRef,
} from 'react';
import { RowHeights } from './row-heights';

interface Options {
  /** The number of rows. */
  readonly count: number;
  /** The height of a row that was not measured. */
  readonly usual: number;
  /** Rows drawn above and below those that are seen. */
  readonly spare: number;
  /** Names the rows: what was measured holds while it stays the same. */
  readonly name: string;
}

/** The rows that are drawn, and where they stand. */
interface RowWindow {
  readonly first: number;
  /** The first row that is not drawn. */
  readonly end: number;
  /** The height of all rows. */
  readonly height: number;
  /** The scroll position, and the height of what is seen. */
  readonly offset: number;
  readonly viewport: number;
  topOf(row: number): number;
  /** Scrolls so that a row is in the middle. */
  readonly showRow: (row: number) => void;
  /** Measures the row of an element, by its `data-index`. */
  readonly measureRow: RefCallback<HTMLElement>;
}

/** Milliseconds in which a row stays in the middle while those around it are measured. */
const AIM_DURATION = 500;

/**
 * Tells which rows are in sight. Rows may have heights of their own, which are measured when they
 * are drawn; where one above what is seen turns out taller, what is seen stays where it is.
 */
export function useRowWindow(
  scroller: RefObject<HTMLElement | null>,
  { count, usual, spare, name }: Options,
): RowWindow {
  // biome-ignore lint/correctness/useExhaustiveDependencies: other rows are measured anew.
  const heights = useMemo(() => new RowHeights(usual), [usual, name]);
  const [, draw] = useReducer((drawn: number) => drawn + 1, 0);
  const place = useRef({ offset: 0, viewport: 0 });
  const latest = useRef({ heights, count });
  latest.current = { heights, count };
  /** True until the element is scrolled to the place where rows above were measured. */
  const isShifted = useRef(false);
  const aim = useRef<{ row: number; until: number } | null>(null);
  const fresh = useRef(new Set<HTMLElement>());
  const attached = useRef<{ element: HTMLElement; end(): void } | null>(null);

  const inSight = useCallback(() => {
    const { offset, viewport } = place.current;
    const { heights: known, count: rows } = latest.current;
    const [first, last] = [known.rowAt(offset, rows), known.rowAt(offset + viewport, rows)];
    return { first, last };
  }, []);

  const take = useCallback((elements: Iterable<Element>) => {
    const { heights: known } = latest.current;
    let isOther = false;
    for (const element of elements) {
      if (!(element instanceof HTMLElement) || !element.isConnected) continue;
      const { offsetHeight: height } = element;
      // What is hidden has none, and will be as it was.
      if (height === 0) continue;
      const row = Number(element.dataset.index);
      const isAbove = known.topOf(row) < place.current.offset;
      const taller = known.set(row, height);
      if (taller === 0) continue;
      isOther = true;
      if (!isAbove) continue;
      place.current.offset += taller;
      isShifted.current = true;
    }
    if (isOther) draw();
  }, []);

  const observer = useRef<ResizeObserver>(undefined);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another one measures all rows again.
  const measureRow = useCallback<RefCallback<HTMLElement>>(
    (element) => {
      if (!element) return;
      observer.current ??= new ResizeObserver((entries) => take(entries.map((one) => one.target)));
      observer.current.observe(element);
      fresh.current.add(element);
      return () => {
        observer.current?.unobserve(element);
        fresh.current.delete(element);
      };
    },
    [heights],
  );

  const attach = useCallback(
    (element: HTMLElement) => {
      // It was hidden meanwhile.
      if (place.current.offset > 0) element.scrollTop = place.current.offset;
      const resize = () => {
        const { clientHeight } = element;
        if (clientHeight === place.current.viewport) return;
        place.current.viewport = clientHeight;
        draw();
      };
      const onScroll = () => {
        const before = inSight();
        place.current.offset = element.scrollTop;
        const now = inSight();
        if (before.first !== now.first || before.last !== now.last) draw();
      };
      const letGo = () => {
        aim.current = null;
      };
      resize();
      const sizes = new ResizeObserver(resize);
      sizes.observe(element);
      element.addEventListener('scroll', onScroll, { passive: true });
      for (const kind of PUSHES) element.addEventListener(kind, letGo, { passive: true });
      return () => {
        sizes.disconnect();
        element.removeEventListener('scroll', onScroll);
        for (const kind of PUSHES) element.removeEventListener(kind, letGo);
      };
    },
    [inSight],
  );

  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === (attached.current?.element ?? null)) return;
    attached.current?.end();
    attached.current = element && { element, end: attach(element) };
  });
  useLayoutEffect(
    () => () => {
      attached.current?.end();
      attached.current = null;
    },
    [],
  );
  useEffect(() => () => observer.current?.disconnect(), []);

  /** Scrolls to the row that is aimed at, as far as that is known now. */
  const approach = useCallback(() => {
    const { current: goal } = aim;
    const { viewport } = place.current;
    if (!goal || viewport === 0) return;
    const { heights: known, count: rows } = latest.current;
    const middle = known.topOf(goal.row) + (known.heightOf(goal.row) - viewport) / 2;
    const offset = Math.max(0, Math.min(middle, known.topOf(rows) - viewport));
    if (Math.abs(offset - place.current.offset) < 1) return;
    place.current.offset = offset;
    isShifted.current = true;
    draw();
  }, []);

  // After what it says was drawn, and before the picture.
  useLayoutEffect(() => {
    if (aim.current && performance.now() > aim.current.until) aim.current = null;
    approach();
    if (isShifted.current && scroller.current) {
      isShifted.current = false;
      scroller.current.scrollTop = place.current.offset;
    }
    if (fresh.current.size === 0) return;
    const elements = [...fresh.current];
    fresh.current.clear();
    take(elements);
  });

  const showRow = useCallback(
    (row: number) => {
      aim.current = { row, until: performance.now() + AIM_DURATION };
      approach();
    },
    [approach],
  );

  const { offset, viewport } = place.current;
  const isSeen = viewport > 0 && count > 0;
  const seen = inSight();
  return {
    first: isSeen ? Math.max(0, seen.first - spare) : 0,
    end: isSeen ? Math.min(count, seen.last + 1 + spare) : 0,
    height: heights.topOf(count),
    offset,
    viewport,
    topOf: (row) => heights.topOf(row),
    showRow,
    measureRow,
  };
}

/** The ways in which a user scrolls. */
const PUSHES = ['wheel', 'pointerdown', 'keydown'] as const;
