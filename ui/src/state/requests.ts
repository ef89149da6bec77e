import { useMemo } from 'react';
import { create } from 'zustand';
import type { ServerId, ServerRequest, Settlement } from '@/backend/bindings';
import { dropAnswerDraft } from './drafts';

/** A question that can no longer be answered, though nobody answered it. */
export interface EndedRequest {
  request: ServerRequest;
  how: Exclude<Settlement, 'answered'>;
}

/** A time in which a question waited for the user, in milliseconds since the Unix epoch. */
export interface Wait {
  server: ServerId;
  /** The call it belonged to; null where that cannot be told. */
  call: string | null;
  from: number;
  to: number;
}

interface RequestsState {
  /** The open questions of servers, oldest first. */
  open: ServerRequest[];
  /** Those that ended unanswered and were not dismissed yet, oldest first. */
  ended: EndedRequest[];
  /** The times in which settled questions waited, oldest first. */
  waits: Wait[];
  replace(requests: ServerRequest[]): void;
  arrive(request: ServerRequest): void;
  settle(id: number, how: Settlement): void;
  /** Forgets a question that ended. */
  dismiss(id: number): void;
}

const KEPT_ENDED = 20;
const KEPT_WAITS = 100;

export const useRequests = create<RequestsState>((set) => ({
  open: [],
  ended: [],
  waits: [],
  replace: (requests) => set({ open: requests }),
  arrive: (request) =>
    set((state) => ({
      open: [...state.open.filter((known) => known.id !== request.id), request],
    })),
  settle: (id, how) =>
    set((state) => {
      const request = state.open.find((known) => known.id === id);
      if (!request) return state;
      const { server, call, at } = request;
      const wait: Wait = { server, call, from: at ?? Date.now(), to: Date.now() };
      const waits = [...state.waits, wait].slice(-KEPT_WAITS);
      const open = state.open.filter((known) => known.id !== id);
      if (how === 'answered') {
        dropAnswerDraft(id);
        return { open, waits };
      }
      return { open, waits, ended: [...state.ended, { request, how }].slice(-KEPT_ENDED) };
    }),
  dismiss: (id) =>
    set((state) => {
      dropAnswerDraft(id);
      return { ended: state.ended.filter(({ request }) => request.id !== id) };
    }),
}));

/** How many questions of this server wait for an answer. */
export function useRequestCount(server: ServerId): number {
  return useRequests((state) => state.open.filter((request) => request.server === server).length);
}

/** The time that a call waits for the user. */
export interface Waiting {
  /** Since when, in milliseconds since the Unix epoch; null while no question waits. */
  since: number | null;
  /** Milliseconds that it waited before, since it began. */
  before: number;
}

/** The time that a call, which began at a moment, waits for the user and has waited. */
export function useWaiting(server: ServerId, call: string, began: number): Waiting {
  const open = useRequests((state) => state.open);
  const waits = useRequests((state) => state.waits);
  return useMemo(
    () => waitingOf({ open, waits }, { server, call, began }),
    [open, waits, server, call, began],
  );
}

/** The same, of what is known of questions. */
export function waitingOf(
  { open, waits }: Pick<RequestsState, 'open' | 'waits'>,
  { server, call, began }: { server: ServerId; call: string; began: number },
): Waiting {
  const isOfCall = (asked: { server: ServerId; call: string | null }) =>
    asked.server === server && (asked.call === null || asked.call === call);
  const waiting = open.filter(isOfCall).map(({ at }) => Math.max(at ?? began, began));
  const since = waiting.length === 0 ? null : Math.min(...waiting);
  let before = 0;
  let counted = began;
  const past = waits.filter(isOfCall).sort((one, other) => one.from - other.from);
  for (const { from, to } of past) {
    // What waits now counts from its beginning on, also where others waited too.
    const end = Math.min(to, since ?? to);
    before += Math.max(0, end - Math.max(from, counted));
    counted = Math.max(counted, end);
  }
  return { since, before };
}
