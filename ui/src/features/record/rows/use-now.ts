import { useCallback, useEffect, useRef, useState } from 'react';

/** Milliseconds after which what is under way is drawn longer. */
const TICK_INTERVAL = 200;

/**
 * The time, which goes on only while something on the screen is under way; `watch` tells whether
 * that is so.
 */
export function useNow(): { readonly now: number; readonly watch: (isUnderWay: boolean) => void } {
  const [now, setNow] = useState(Date.now);
  const isUnderWay = useRef(false);
  useEffect(() => {
    const timer = setInterval(() => {
      if (isUnderWay.current) setNow(Date.now());
    }, TICK_INTERVAL);
    return () => clearInterval(timer);
  }, []);
  const watch = useCallback((is: boolean) => {
    isUnderWay.current = is;
  }, []);
  return { now, watch };
}
