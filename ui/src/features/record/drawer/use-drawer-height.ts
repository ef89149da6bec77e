import { useEffect, useState } from 'react';
import { forget, recall, remember } from '@/lib/remembered';
import { windowHeight } from '@/lib/window-size';

const NAME = 'traffic.height';
const MIN_HEIGHT = 120;
/** Pixels that the rest of the window needs at least. */
const MIN_REST = 160;

export interface DrawerHeight {
  readonly pixels: number;
  readonly least: number;
  readonly most: number;
  readonly set: (pixels: number) => void;
  /** Back to the height that it has at first. */
  readonly reset: () => void;
}

/** The drawer's height: what the user chose, as far as the window has room for it. */
export function useDrawerHeight(): DrawerHeight {
  const [chosen, setChosen] = useState(() => recall(NAME, isHeight));
  const [height, setHeight] = useState(windowHeight);

  useEffect(() => {
    const measure = () => setHeight(windowHeight());
    window.addEventListener('resize', measure);
    return () => window.removeEventListener('resize', measure);
  }, []);

  const most = Math.max(MIN_HEIGHT, height - MIN_REST);
  const clamp = (pixels: number) => Math.round(Math.min(Math.max(MIN_HEIGHT, pixels), most));
  return {
    pixels: clamp(chosen ?? firstHeight(height)),
    least: MIN_HEIGHT,
    most,
    set: (pixels) => {
      setChosen(clamp(pixels));
      remember(NAME, clamp(pixels));
    },
    reset: () => {
      setChosen(undefined);
      forget(NAME);
    },
  };
}

/** Three tenths of the window, but more of it where that would show hardly any rows. */
function firstHeight(ofWindow: number): number {
  return Math.max(190, ofWindow * 0.3);
}

function isHeight(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}
