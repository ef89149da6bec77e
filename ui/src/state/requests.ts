import { create } from 'zustand';
import type { ServerId, ServerRequest } from '@/backend/bindings';

interface RequestsState {
  /** What servers ask of the person, oldest first. */
  open: ServerRequest[];
  replace(requests: ServerRequest[]): void;
  arrive(request: ServerRequest): void;
  settle(id: number): void;
}

export const useRequests = create<RequestsState>((set) => ({
  open: [],
  replace: (requests) => set({ open: requests }),
  arrive: (request) =>
    set((state) => ({
      open: [...state.open.filter((known) => known.id !== request.id), request],
    })),
  settle: (id) => set((state) => ({ open: state.open.filter((request) => request.id !== id) })),
}));

/** How many questions of this server wait for an answer. */
export function useRequestCount(server: ServerId): number {
  return useRequests((state) => state.open.filter((request) => request.server === server).length);
}
