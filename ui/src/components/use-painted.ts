import { useEffect, useState } from 'react';

/** Calls back once what was drawn last has been painted. Returns how to call that off. */
export function afterPaint(callback: () => void): () => void {
  // The first frame is the one being painted; the second has it behind it.
  let frame = requestAnimationFrame(() => {
    frame = requestAnimationFrame(callback);
  });
  return () => cancelAnimationFrame(frame);
}

/** Tells whether what this component drew at first has been painted. */
export function usePainted(): boolean {
  const [painted, setPainted] = useState(false);
  useEffect(() => afterPaint(() => setPainted(true)), []);
  return painted;
}

/**
 * Tells whether a part that is shown while `isOn` has had its place painted: what stands in it can
 * then be drawn in a frame of its own.
 */
export function usePaintedWhile(isOn: boolean): boolean {
  const [painted, setPainted] = useState(false);
  useEffect(() => {
    if (isOn) return afterPaint(() => setPainted(true));
    setPainted(false);
    return undefined;
  }, [isOn]);
  return isOn && painted;
}
