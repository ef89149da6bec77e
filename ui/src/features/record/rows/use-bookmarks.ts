import { useCallback, useMemo, useState } from 'react';
import { useBackend } from '@/backend/backend';
import type { ExchangeId } from '@/backend/bindings';
import { showError } from '@/state/notices';

/** Sets the bookmarks of the program's own record. */
export interface Bookmarks {
  /** Moves with each bookmark that is set, so that an open row is loaded again. */
  readonly version: number;
  /** The row whose note is to be written now. */
  readonly writing: ExchangeId | null;
  /** Puts a bookmark on a row that has none, and asks for its note. */
  readonly add: (id: ExchangeId) => Promise<void>;
  /** Writes the note of a bookmark; null takes the bookmark away. */
  readonly write: (id: ExchangeId, note: string | null) => Promise<void>;
}

/** Returns what sets bookmarks. */
export function useBookmarks(): Bookmarks {
  const backend = useBackend();
  const [version, setVersion] = useState(0);
  const [writing, setWriting] = useState<ExchangeId | null>(null);
  const write = useCallback(
    async (id: ExchangeId, note: string | null) => {
      setWriting(null);
      try {
        await backend.updateBookmark(id, note);
      } catch (reason) {
        showError(reason);
      }
      setVersion((known) => known + 1);
    },
    [backend],
  );
  const add = useCallback(
    async (id: ExchangeId) => {
      try {
        const { row } = await backend.getTrafficDetail(id);
        // A note that is there stays.
        await write(id, row.bookmark ?? '');
        setWriting(id);
      } catch (reason) {
        showError(reason);
      }
    },
    [backend, write],
  );
  return useMemo(() => ({ version, writing, add, write }), [version, writing, add, write]);
}
