import { type RefObject, useEffect } from 'react';

/**
 * Hands over turns of the wheel with the distance from the left and the width of the element. They
 * are kept from scrolling the page, which React's own listener cannot do.
 */
export function useWheel(
  element: RefObject<HTMLElement | null>,
  onWheel: (event: WheelEvent, x: number, width: number) => void,
): void {
  useEffect(() => {
    const { current } = element;
    if (!current) return;
    const turn = (event: WheelEvent) => {
      // Ctrl+wheel zooms the window.
      if (event.ctrlKey) return;
      event.preventDefault();
      const box = current.getBoundingClientRect();
      onWheel(event, event.clientX - box.left, Math.max(1, box.width));
    };
    current.addEventListener('wheel', turn, { passive: false });
    return () => current.removeEventListener('wheel', turn);
  }, [element, onWheel]);
}
