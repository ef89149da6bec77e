import { useState } from 'react';
import { useAsyncEffect } from '@/components/use-async-effect';
import { showError } from '@/state/notices';

/**
 * Asks for something once the user wants it. What comes after the component is gone is not taken:
 * the user chose something else.
 */
export function useAsked<Value>(ask: () => Promise<Value>, onValue: (value: Value) => void) {
  const [isAsking, setAsking] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: it asks when it is told to
  useAsyncEffect(
    () =>
      isAsking
        ? {
            start: ask,
            onValue: (value) => {
              setAsking(false);
              onValue(value);
            },
            onError: (reason) => {
              setAsking(false);
              showError(reason);
            },
          }
        : null,
    [isAsking],
  );
  return { isAsking, start: () => setAsking(true) };
}
