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
 * browser sends such a click to another row, or sends none at all. So a press counts when the
 * button goes up again, and the click that may follow says nothing new. A click without a press
 * comes from an assistive technology.
 */
export function usePressedRow<Row>(
  rowAt: (index: number) => Row | undefined,
  onClick: (pointed: PointedRow<Row>) => void,
) {
  const pressed = useRef<Press<Row> | null>(null);
  const isTaken = useRef(false);

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
      isTaken.current = false;
      pressed.current =
        event.button === 0 ? { at: pointed(event), x: event.clientX, y: event.clientY } : null;
    },
    onMouseUp: (event: MouseEvent) => {
      const press = pressed.current;
      pressed.current = null;
      const isSamePoint =
        press !== null &&
        Math.abs(event.clientX - press.x) <= MAX_MOVEMENT &&
        Math.abs(event.clientY - press.y) <= MAX_MOVEMENT;
      if (event.button !== 0 || !isSamePoint || !press.at) return;
      isTaken.current = true;
      onClick(press.at);
    },
    onClick: (event: MouseEvent) => {
      if (isTaken.current && event.detail > 0) return;
      const at = pointed(event);
      if (at) onClick(at);
    },
  };
}
