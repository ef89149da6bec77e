import { type DependencyList, startTransition, useState } from 'react';
import { asCommandError } from '@/backend/error';
import { useAsyncEffect } from '@/components/use-async-effect';

/** The answer to a question, and that to the one before it for as long as it takes. */
export interface Answer<Value> {
  value: Value | null;
  problem: string | null;
  /** Says what can be done about the problem. */
  hint: string | null;
}

const NOTHING = { value: null, problem: null, hint: null };

/**
 * Asks the backend, again whenever `dependencies` change. `delay` is how long typing has to rest;
 * null for `ask` asks nothing.
 */
export function useAnswer<Value>(
  ask: (() => Promise<Value>) | null,
  dependencies: DependencyList,
  delay?: number,
): Answer<Value> {
  const [answer, setAnswer] = useState<Answer<Value>>(NOTHING);
  useAsyncEffect(
    () => {
      if (ask === null) {
        setAnswer(NOTHING);
        return null;
      }
      return {
        start: ask,
        // Drawn in pieces: it may be large, and nobody waits for it in the middle of a key.
        onValue: (value) => startTransition(() => setAnswer({ ...NOTHING, value })),
        onError: (reason) => {
          const { message, hint } = asCommandError(reason);
          setAnswer({ value: null, problem: message, hint });
        },
        delay,
      };
    },
    // biome-ignore lint/correctness/useExhaustiveDependencies: `ask` is another one each time; its caller names what it depends on.
    dependencies,
  );
  return answer;
}
