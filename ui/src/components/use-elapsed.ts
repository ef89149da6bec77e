import { useEffect, useState } from 'react';

/** Milliseconds since a moment (of the Unix epoch), moving while `running`. */
export function useElapsed(since: number | null, running: boolean): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    if (!running) return;
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), 100);
    return () => clearInterval(timer);
  }, [running]);
  return Math.max(0, now - (since ?? now));
}
