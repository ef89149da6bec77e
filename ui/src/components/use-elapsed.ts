import { useEffect, useState } from 'react';
import { forgetChange, inFrameOfItsOwn } from '@/lib/frames';

/** Milliseconds between two moves of a running time. */
const TICK_INTERVAL = 100;

/** Milliseconds since a moment (of the Unix epoch) in whole ticks, moving while `running`. */
export function useElapsed(since: number | null, running: boolean): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    if (!running) return;
    const move = () => setNow(Date.now());
    move();
    const timer = setInterval(() => inFrameOfItsOwn(move), TICK_INTERVAL);
    return () => {
      clearInterval(timer);
      forgetChange(move);
    };
  }, [running]);
  // Two clocks of one thing move a frame apart, and are not to differ by that.
  return Math.max(0, Math.floor((now - (since ?? now)) / TICK_INTERVAL) * TICK_INTERVAL);
}
