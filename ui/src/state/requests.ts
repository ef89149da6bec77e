import { create } from 'zustand';
import type { AutomaticAnswer, ServerId, ServerRequest } from '@/backend/bindings';

interface RequestsState {
  /** What servers ask of the person, oldest first. */
  open: ServerRequest[];
  /** The newest questions that were answered without asking, oldest first. */
  automatic: AutomaticAnswer[];
  replace(requests: ServerRequest[], automatic: AutomaticAnswer[]): void;
  arrive(request: ServerRequest): void;
  settle(id: number): void;
  answer(answer: AutomaticAnswer): void;
}

const MOST_AUTOMATIC_ANSWERS = 50;

export const useRequests = create<RequestsState>((set) => ({
  open: [],
  automatic: [],
  replace: (requests, automatic) => set({ open: requests, automatic }),
  arrive: (request) =>
    set((state) => ({
      open: [...state.open.filter((known) => known.id !== request.id), request],
    })),
  settle: (id) => set((state) => ({ open: state.open.filter((request) => request.id !== id) })),
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
  return useRequests((state) => state.open.filter((request) => request.server === server).length);
}
