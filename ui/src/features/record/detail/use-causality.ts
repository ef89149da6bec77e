import { useEffect, useState } from 'react';
import { useBackend } from '@/backend/backend';
import type { Causality, ExchangeId, Operation } from '@/backend/bindings';
import { useRecordStore } from '@/state/record/recording';

/** Milliseconds between two questions: messages come in, or older ones are still looked at. */
const INTERVAL = 500;

/** Causes and effects of a row, and the operation that it is part of. */
export interface Causes {
  readonly causality: Causality;
  readonly operation: Operation;
}

/**
 * Loads the causes of a row, and again while messages come in that may be effects. Those of the row
 * before stay until they are loaded.
 */
export function useCausality(id: ExchangeId) {
  const backend = useBackend();
  const record = useRecordStore();
  const [causes, setCauses] = useState<Causes | null>(null);
  const [failure, setFailure] = useState<unknown>(null);

  useEffect(() => {
    let isOver = false;
    /** True until some time after the last answer: messages may pour in. */
    let isBusy = false;
    let isDirty = false;
    let timer: ReturnType<typeof setTimeout> | undefined;

    const load = async () => {
      if (isBusy) {
        isDirty = true;
        return;
      }
      isBusy = true;
      isDirty = false;
      try {
        const causality = await backend.getTrafficCausality(id);
        const tree = await backend.getTrafficOperation({ id: causality.operation }, 0, 1);
        if (isOver) return;
        setCauses({ causality, operation: tree.operation });
        setFailure(null);
        isDirty ||= !causality.complete;
      } catch (reason) {
        if (isOver) return;
        setCauses(null);
        setFailure(reason);
      }
      timer = setTimeout(() => {
        isBusy = false;
        if (isDirty) void load();
      }, INTERVAL);
    };

    void load();
    const unsubscribe = record.subscribe((state, before) => {
      if (state.revision !== before.revision) void load();
    });
    return () => {
      isOver = true;
      clearTimeout(timer);
      unsubscribe();
    };
  }, [backend, record, id]);

  return { causes, failure };
}
