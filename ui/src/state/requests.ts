import { create } from 'zustand';
import type { AutomaticAnswer, ServerId, ServerRequest } from '@/backend/bindings';

/** One thing that happened to the questions, in the order of the facts. */
export type RequestChange =
  | { type: 'request_arrived'; request: ServerRequest }
  | { type: 'request_settled'; id: number };

interface RequestsState {
  /** What servers ask of the user, oldest first. */
  open: ServerRequest[];
  /** The newest questions that were answered without asking, oldest first. */
  automatic: AutomaticAnswer[];
  replace(requests: ServerRequest[], automatic: AutomaticAnswer[]): void;
  /** Applies changes in their order, in one pass however many there are. */
  apply(changes: readonly RequestChange[]): void;
  answer(answer: AutomaticAnswer): void;
}

const MOST_AUTOMATIC_ANSWERS = 50;

export const useRequests = create<RequestsState>((set) => ({
  open: [],
  automatic: [],
  replace: (requests, automatic) => set({ open: requests, automatic }),
  apply: (changes) =>
    set((state) => {
      const open = new Map(state.open.map((request) => [request.id, request]));
      for (const change of changes) {
        if (change.type === 'request_settled') {
          open.delete(change.id);
        } else {
          open.delete(change.request.id);
          open.set(change.request.id, change.request);
        }
      }
      return { open: [...open.values()] };
    }),
  // Applied once more, a fact changes nothing.
  answer: (answer) =>
    set((state) => ({
      automatic: [
        ...state.automatic.filter(({ server, at }) => server !== answer.server || at !== answer.at),
        answer,
      ].slice(-MOST_AUTOMATIC_ANSWERS),
    })),
}));

/** How many questions of this server wait for an answer. */
export function useRequestCount(server: ServerId): number {
  return useRequests((state) =>
    state.open.reduce((count, request) => count + (request.server === server ? 1 : 0), 0),
  );
}
