import { useEffect, useRef } from 'react';
import { useAction } from '@/state/actions';

/** The runs of the item that is to be run once it is there; null where none is. */
let asked: string | null = null;

/**
 * Remembers that an item was to be run while its definition is still loaded: the key is pressed for
 * what was chosen, and not for nothing. Forgotten when another one is chosen.
 */
export function useRunOnceThere(runId: string | null, isLoading: boolean): void {
  const ask = () => {
    asked = runId;
  };
  useAction('call.run', ask, { when: isLoading && runId !== null });
  // biome-ignore lint/correctness/useExhaustiveDependencies: of each choice.
  useEffect(
    () => () => {
      asked = null;
    },
    [runId],
  );
}

/** Runs an item that is there now, where that was asked for before. */
export function useAskedRun(runId: string, run: () => void): void {
  const latest = useRef(run);
  useEffect(() => {
    latest.current = run;
  });
  useEffect(() => {
    if (asked !== runId) return;
    asked = null;
    latest.current();
  }, [runId]);
}
