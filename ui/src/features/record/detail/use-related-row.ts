import { useCallback, useState } from 'react';
import type { ExchangeId } from '@/backend/bindings';
import { useAsyncEffect } from '@/components/use-async-effect';
import { showError } from '@/state/notices';

/** A row to go to. */
interface Wanted {
  readonly id: ExchangeId;
  /** The operation that it is part of. */
  readonly operation: ExchangeId;
  /** Shows everything where it is not listed. */
  readonly must: boolean;
}

interface Options {
  /** Looks up the line of a row; nothing for one that is not listed. */
  readonly reveal: (id: ExchangeId, operation: ExchangeId) => Promise<number | null>;
  /** Shows everything; null where nothing is left out. */
  readonly showAll: (() => void) | null;
  /** The table has it in sight. */
  readonly onArrival: () => void;
}

/** Goes to a row of the shown view, wherever it is in the record. */
export function useRelatedRow({ reveal, showAll, onArrival }: Options) {
  const [wanted, setWanted] = useState<Wanted | null>(null);
  const [goTo, setGoTo] = useState<{ readonly index: number } | null>(null);

  // After the effects of the rows, which have what is to be shown by then.
  useAsyncEffect(
    () =>
      wanted === null
        ? null
        : {
            start: () => reveal(wanted.id, wanted.operation),
            onValue: (index) => {
              if (index === null && wanted.must && showAll) {
                showAll();
                return;
              }
              setWanted(null);
              if (index === null) return;
              setGoTo({ index });
              if (wanted.must) onArrival();
            },
            onError: (reason) => {
              setWanted(null);
              showError(reason);
            },
          },
    [wanted, reveal, showAll, onArrival],
  );

  const leave = useCallback(() => {
    setWanted(null);
    setGoTo(null);
  }, []);
  return { goTo, seek: setWanted, leave };
}
