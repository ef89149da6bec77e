import { type PointerEvent, useRef } from 'react';

type Press = PointerEvent<HTMLElement>;

/**
 * Follows a pointer from where it is pressed until it is let go, also beside the element. Where
 * `begin` returns null, nothing is dragged.
 */
export function usePointerDrag<Start>(
  begin: (event: Press) => Start | null,
  move: (start: Start, event: Press) => void,
) {
  const start = useRef<Start | null>(null);
  const end = () => {
    start.current = null;
  };
  return {
    onPointerDown: (event: Press) => {
      start.current = event.button === 0 ? begin(event) : null;
      if (start.current !== null) event.currentTarget.setPointerCapture(event.pointerId);
    },
    onPointerMove: (event: Press) => {
      if (start.current !== null) move(start.current, event);
    },
    onPointerUp: end,
    onPointerCancel: end,
  };
}
