import { type KeyboardEvent, type PointerEvent, useRef } from 'react';
import { BAR } from '../texts';
import styles from './traffic-drawer.module.css';
import type { DrawerHeight } from './use-drawer-height';

/** Pixels that an arrow key moves the edge. */
const STEP = 26;

/** The drawer's upper edge, which moves by pointer and by keys; a double click resets it. */
export function DrawerEdge({ height }: { height: DrawerHeight }) {
  const drag = useRef<{ y: number; pixels: number } | null>(null);

  const onPointerDown = (event: PointerEvent<HTMLElement>) => {
    if (event.button !== 0) return;
    // Or the text that the pointer passes is selected.
    event.preventDefault();
    event.currentTarget.focus();
    event.currentTarget.setPointerCapture(event.pointerId);
    drag.current = { y: event.clientY, pixels: height.pixels };
  };

  const onPointerMove = (event: PointerEvent) => {
    if (drag.current) height.set(drag.current.pixels + drag.current.y - event.clientY);
  };

  const onPointerEnd = () => {
    drag.current = null;
  };

  const onKeyDown = (event: KeyboardEvent) => {
    const target = edgeTarget(event.key, height);
    if (target === null) return;
    event.preventDefault();
    height.set(target);
  };

  return (
    // biome-ignore lint/a11y/useSemanticElements: a rule that moves is no hr
    <div
      role="separator"
      aria-label={BAR.resize}
      aria-orientation="horizontal"
      aria-valuenow={height.pixels}
      aria-valuemin={height.least}
      aria-valuemax={height.most}
      tabIndex={0}
      className={styles.edge}
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onPointerUp={onPointerEnd}
      onPointerCancel={onPointerEnd}
      onDoubleClick={height.reset}
      onKeyDown={onKeyDown}
    />
  );
}

function edgeTarget(key: string, height: DrawerHeight): number | null {
  switch (key) {
    case 'ArrowUp':
      return height.pixels + STEP;
    case 'ArrowDown':
      return height.pixels - STEP;
    case 'Home':
      return height.least;
    case 'End':
      return height.most;
    default:
      return null;
  }
}
