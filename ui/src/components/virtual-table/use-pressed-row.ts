import { type MouseEvent, useRef } from 'react';

/** The row that the pointer is at. */
interface PointedRow<Row> {
  readonly index: number;
  readonly row: Row;
  /** The mark at this point that folds or unfolds rows: `open` or `closed`; absent elsewhere. */
  readonly fold: string | null;
}

interface Press<Row> {
  readonly at: PointedRow<Row> | null;
  readonly x: number;
  readonly y: number;
}

/** Pixels that the pointer moves at most between the press and the release of one click. */
const MAX_MOVEMENT = 4;

/**
 * Tells which row a click is for: the one at which the button went down.
 *
 * The rows move while messages come in, and an element shows another row then, or is replaced. The
 * browser sends such a click to another row, or to none.
 */
export function usePressedRow<Row>(rowAt: (index: number) => Row | undefined) {
  const pressed = useRef<Press<Row> | null>(null);

  const pointed = (event: MouseEvent): PointedRow<Row> | null => {
    const target = event.target as Element;
    const element = target.closest<HTMLElement>('[data-index]');
    if (!element) return null;
    const index = Number(element.dataset.index);
    const row = rowAt(index);
    if (row === undefined) return null;
    const fold = target.closest<HTMLElement>('[data-fold]')?.dataset.fold ?? null;
    return { index, row, fold };
  };

  return {
    onMouseDown: (event: MouseEvent) => {
      pressed.current = { at: pointed(event), x: event.clientX, y: event.clientY };
    },
    /** Returns the row of a click. */
    rowOf: (event: MouseEvent): PointedRow<Row> | null => {
      const press = pressed.current;
      pressed.current = null;
      const isSamePoint =
        press !== null &&
        Math.abs(event.clientX - press.x) <= MAX_MOVEMENT &&
        Math.abs(event.clientY - press.y) <= MAX_MOVEMENT;
      return (isSamePoint ? press.at : null) ?? pointed(event);
    },
  };
}
