import { useEffect, useRef, useState } from 'react';
import { useBackend } from '@/backend/backend';
import type { ExchangeDetail, ExchangeId } from '@/backend/bindings';
import { useRecordStore } from '@/state/record/recording';

/**
 * Loads the details of one row, again and again while its answer is not there, and again when
 * `version` moves. The one before stays until the next is loaded, so that moving from row to row
 * does not flash.
 */
export function useExchange(id: ExchangeId, version: number) {
  const backend = useBackend();
  const record = useRecordStore();
  const [detail, setDetail] = useState<ExchangeDetail | null>(null);
  const [failure, setFailure] = useState<unknown>(null);
  const isPending = useRef(true);

  // biome-ignore lint/correctness/useExhaustiveDependencies: loads again with each version.
  useEffect(() => {
    let isOver = false;
    let isBusy = false;
    let isDirty = true;
    isPending.current = true;

    const load = async () => {
      if (isBusy) return;
      isBusy = true;
      while (isDirty && !isOver) {
        isDirty = false;
        try {
          const loaded = await backend.getTrafficDetail(id);
          if (isOver) return;
          isPending.current = loaded.row.outcome === 'pending';
          setDetail(loaded);
          setFailure(null);
        } catch (reason) {
          if (isOver) return;
          isPending.current = false;
          setDetail(null);
          setFailure(reason);
        }
      }
      isBusy = false;
    };

    void load();
    const unsubscribe = record.subscribe((state, before) => {
      if (state.revision === before.revision || !isPending.current) return;
      isDirty = true;
      void load();
    });
    return () => {
      isOver = true;
      unsubscribe();
    };
  }, [backend, record, id, version]);

  return { detail, failure };
}
