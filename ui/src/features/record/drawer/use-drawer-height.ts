import { useEffect, useState } from 'react';
import { forget, remember } from '@/lib/remembered';
import { windowHeight } from '@/lib/window-size';
import { chosenHeight, fittingHeight, HEIGHT, heightIn, MIN_HEIGHT, mostHeight } from './place';

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
  const [chosen, setChosen] = useState(chosenHeight);
  const [height, setHeight] = useState(windowHeight);

  useEffect(() => {
    const measure = () => setHeight(windowHeight());
    window.addEventListener('resize', measure);
    return () => window.removeEventListener('resize', measure);
  }, []);

  const clamp = (pixels: number) => fittingHeight(pixels, height);
  return {
    pixels: heightIn(height, chosen),
    least: MIN_HEIGHT,
    most: mostHeight(height),
    set: (pixels) => {
      setChosen(clamp(pixels));
      remember(HEIGHT, clamp(pixels));
    },
    reset: () => {
      setChosen(undefined);
      forget(HEIGHT);
    },
  };
}
