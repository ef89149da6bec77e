import { useEffect, useRef } from 'react';
import { useAction } from '@/state/actions';

/** Milliseconds for which a run that was asked for is remembered. */
const REMEMBERED = 5_000;

/** Events of what the user does next, which ends the wait for what was asked for before. */
const INPUTS = ['keydown', 'pointerdown'] as const;

/** The runs of the item that is to be run once it is there; null where none is. */
let asked: string | null = null;
let timer: ReturnType<typeof setTimeout> | undefined;

function ask(runId: string | null): void {
  forget();
  asked = runId;
  timer = setTimeout(forget, REMEMBERED);
  for (const input of INPUTS) window.addEventListener(input, forgetAtInput, true);
}

function forget(): void {
  asked = null;
  clearTimeout(timer);
  for (const input of INPUTS) window.removeEventListener(input, forgetAtInput, true);
}

function forgetAtInput(event: Event): void {
  // A key that is held is the one that asked.
  if (!(event instanceof KeyboardEvent && event.repeat)) forget();
}

/**
 * Remembers that an item was to be run while its definition is still loaded: the key is pressed for
 * what was chosen, and not for nothing. Forgotten when another one is chosen or there is none, at
 * what the user does next, and after a few seconds: nothing runs that nobody waits for.
 */
export function useRunOnceThere(
  runId: string | null,
  state: 'none' | 'loading' | 'gone' | 'failed' | 'there',
): void {
  useAction('call.run', () => ask(runId), { when: state === 'loading' && runId !== null });
  const isNotThere = state === 'gone' || state === 'failed';
  useEffect(() => {
    if (isNotThere) forget();
  }, [isNotThere]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: of each choice.
  useEffect(() => forget, [runId]);
}

/** Runs an item that is there now, where that was asked for before. */
export function useAskedRun(runId: string, run: () => void): void {
  const latest = useRef(run);
  useEffect(() => {
    latest.current = run;
  });
  useEffect(() => {
    if (asked !== runId) return;
    forget();
    latest.current();
  }, [runId]);
}
