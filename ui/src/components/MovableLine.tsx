import type { KeyboardEvent } from 'react';
import { usePointerDrag } from './use-pointer-drag';

/** Pixels that an arrow key moves the line. */
const STEP = 26;

interface MovableLineProps {
  label: string;
  /** The side on which the pane lies whose size it changes. */
  pane: 'left' | 'below';
  /** The size of the pane in pixels, and the bounds of it. */
  size: number;
  least: number;
  most: number;
  className: string | undefined;
  onMove: (size: number) => void;
  onReset: () => void;
}

/** A line beside a pane, which moves by pointer and by keys; a double click resets it. */
export function MovableLine(props: MovableLineProps) {
  const { label, pane, size, least, most, className, onMove, onReset } = props;
  const drag = usePointerDrag(
    (event) => {
      // Or the text that the pointer passes is selected.
      event.preventDefault();
      event.currentTarget.focus();
      return { x: event.clientX, y: event.clientY, size };
    },
    (start, event) => {
      const distance = pane === 'left' ? event.clientX - start.x : start.y - event.clientY;
      onMove(start.size + distance);
    },
  );
  const targets: Record<string, number> = {
    [pane === 'left' ? 'ArrowRight' : 'ArrowUp']: size + STEP,
    [pane === 'left' ? 'ArrowLeft' : 'ArrowDown']: size - STEP,
    Home: least,
    End: most,
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const target = targets[event.key];
    if (target === undefined) return;
    event.preventDefault();
    onMove(target);
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a rule that moves is no hr
    <div
      role="separator"
      aria-label={label}
      aria-orientation={pane === 'left' ? 'vertical' : 'horizontal'}
      aria-valuenow={size}
      aria-valuemin={least}
      aria-valuemax={most}
      tabIndex={0}
      className={className}
      {...drag}
      onDoubleClick={onReset}
      onKeyDown={onKeyDown}
    />
  );
}
