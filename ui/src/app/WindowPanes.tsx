import { type ReactNode, useEffect, useState } from 'react';
import { MovableLine } from '@/components/MovableLine';
import { forget, remember } from '@/lib/remembered';
import { windowWidth } from '@/lib/window-size';
import styles from './app.module.css';
import {
  chosenWidth,
  firstWidth,
  fittingWidth,
  MIN_WIDTH,
  mostWidth,
  SHARES,
  sharesOf,
} from './sidebar-width';
import { RESIZE_SIDEBAR } from './texts';

interface WindowPanesProps {
  sidebar: ReactNode;
  main: ReactNode;
}

/**
 * The sidebar and the pane beside it. The line between them moves by pointer and by keys; a double
 * click resets it. A sidebar that was given its pixels keeps them when the window changes, as far as
 * there is room.
 */
export function WindowPanes({ sidebar, main }: WindowPanesProps) {
  const [chosen, setChosen] = useState(chosenWidth);
  const [ofWindow, setOfWindow] = useState(windowWidth);
  useEffect(() => {
    const measure = () => setOfWindow(windowWidth());
    window.addEventListener('resize', measure);
    return () => window.removeEventListener('resize', measure);
  }, []);
  const width = fittingWidth(chosen ?? firstWidth(ofWindow), ofWindow);
  const choose = (pixels: number) => {
    const fitting = fittingWidth(pixels, ofWindow);
    setChosen(fitting);
    remember(SHARES, sharesOf(fitting, ofWindow));
  };
  const reset = () => {
    setChosen(null);
    forget(SHARES);
  };

  return (
    <div className={styles.beside} style={{ gridTemplateColumns: `${width}px 1px minmax(0, 1fr)` }}>
      <div className="min-w-0 min-h-0 h-full overflow-hidden">{sidebar}</div>
      <MovableLine
        label={RESIZE_SIDEBAR}
        pane="left"
        size={width}
        least={MIN_WIDTH}
        most={mostWidth(ofWindow)}
        className={styles.line}
        onMove={choose}
        onReset={reset}
      />
      <div className="min-w-0 min-h-0 h-full overflow-hidden">{main}</div>
    </div>
  );
}
