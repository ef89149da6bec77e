import { useEffect, useRef } from 'react';

/** Milliseconds for which a choice has to stand: who passes several wants the last. */
const CHOICE_DELAY = 250;

/**
 * Starts what is harmless for an item once the user has chosen it, and not while the list is
 * walked. For a component of which there is one for each item.
 */
export function useStartOnChoice(isChosen: boolean, start: () => void): void {
  const latest = useRef(start);
  useEffect(() => {
    latest.current = start;
  });
  useEffect(() => {
    if (!isChosen) return;
    const timer = setTimeout(() => latest.current(), CHOICE_DELAY);
    return () => clearTimeout(timer);
  }, [isChosen]);
}
