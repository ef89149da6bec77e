import { type RefObject, useLayoutEffect, useState } from 'react';
import { windowWidth } from '@/lib/window-size';

/** The width of an element in pixels. */
export function useWidth(element: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(windowWidth);
  useMeasured(element, ({ clientWidth }) => setWidth(clientWidth));
  return width;
}

/** The height of an element in pixels. */
export function useHeight(element: RefObject<HTMLElement | null>): number {
  const [height, setHeight] = useState(0);
  useMeasured(element, ({ clientHeight }) => setHeight(clientHeight));
  return height;
}

function useMeasured(
  element: RefObject<HTMLElement | null>,
  take: (current: HTMLElement) => void,
): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: it takes the same measure each time.
  useLayoutEffect(() => {
    const { current } = element;
    if (!current) return;
    const measure = () => take(current);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(current);
    return () => observer.disconnect();
  }, [element]);
}
