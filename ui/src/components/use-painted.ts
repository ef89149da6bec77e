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
