import {
  type KeyboardEvent,
  type PointerEvent,
  type ReactNode,
  useEffect,
  useRef,
  useState,
} from 'react';
import { forget, remember } from '@/lib/remembered';
import { windowWidth } from '@/lib/window-size';
import styles from './app.module.css';
import {
  firstWidth,
  fittingWidth,
  MIN_WIDTH,
  mostWidth,
  SHARES,
  sharesOf,
  startWidth,
} from './sidebar-width';
import { RESIZE_SIDEBAR } from './texts';

/** Pixels that an arrow key moves the line. */
const STEP = 26;

interface WindowPanesProps {
  sidebar: ReactNode;
  main: ReactNode;
}

/**
 * The sidebar and the pane beside it. The line between them moves by pointer and by keys; a double
 * click resets it. The sidebar keeps its pixels when the window changes, as far as there is room.
 */
export function WindowPanes({ sidebar, main }: WindowPanesProps) {
  const [chosen, setChosen] = useState(startWidth);
  const [ofWindow, setOfWindow] = useState(windowWidth);
  useEffect(() => {
    const measure = () => setOfWindow(windowWidth());
    window.addEventListener('resize', measure);
    return () => window.removeEventListener('resize', measure);
  }, []);
  const width = fittingWidth(chosen, ofWindow);
  const choose = (pixels: number) => {
    const fitting = fittingWidth(pixels, ofWindow);
    setChosen(fitting);
    remember(SHARES, sharesOf(fitting, ofWindow));
  };
  const reset = () => {
    setChosen(firstWidth(ofWindow));
    forget(SHARES);
  };

  const drag = useRef<{ x: number; pixels: number } | null>(null);
  const onPointerDown = (event: PointerEvent<HTMLElement>) => {
    if (event.button !== 0) return;
    // Or the text that the pointer passes is selected.
    event.preventDefault();
    event.currentTarget.focus();
    event.currentTarget.setPointerCapture(event.pointerId);
    drag.current = { x: event.clientX, pixels: width };
  };
  const onPointerMove = ({ clientX }: PointerEvent) => {
    if (drag.current) choose(drag.current.pixels + clientX - drag.current.x);
  };
  const onPointerEnd = () => {
    drag.current = null;
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const target = lineTarget(event.key, width, mostWidth(ofWindow));
    if (target === null) return;
    event.preventDefault();
    choose(target);
  };

  return (
    <div className={styles.beside} style={{ gridTemplateColumns: `${width}px 1px minmax(0, 1fr)` }}>
      <div className="min-w-0 min-h-0 h-full overflow-hidden">{sidebar}</div>
      {/* biome-ignore lint/a11y/useSemanticElements: a rule that moves is no hr */}
      <div
        role="separator"
        aria-label={RESIZE_SIDEBAR}
        aria-orientation="vertical"
        aria-valuenow={width}
        aria-valuemin={MIN_WIDTH}
        aria-valuemax={mostWidth(ofWindow)}
        tabIndex={0}
        className={styles.line}
        onPointerDown={onPointerDown}
        onPointerMove={onPointerMove}
        onPointerUp={onPointerEnd}
        onPointerCancel={onPointerEnd}
        onDoubleClick={reset}
        onKeyDown={onKeyDown}
      />
      <div className="min-w-0 min-h-0 h-full overflow-hidden">{main}</div>
    </div>
  );
}

function lineTarget(key: string, width: number, most: number): number | null {
  switch (key) {
    case 'ArrowLeft':
      return width - STEP;
    case 'ArrowRight':
      return width + STEP;
    case 'Home':
      return MIN_WIDTH;
    case 'End':
      return most;
    default:
      return null;
  }
}
