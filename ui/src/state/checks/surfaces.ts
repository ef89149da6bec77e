import { create } from 'zustand';
import type { ServerId, SurfaceView } from '@/backend/bindings';
import { shared } from '@/lib/shared';

interface SurfacesState {
  /** Number of comparisons of each server, so that a view is read again after one. */
  revisions: Readonly<Record<ServerId, number>>;
  views: Readonly<Record<ServerId, SurfaceView>>;
  /** A server's surface was compared, or another is stored. */
  noteCompared(server: ServerId): void;
  set(view: SurfaceView): void;
}

export const useSurfaces = create<SurfacesState>((set) => ({
  revisions: {},
  views: {},
  noteCompared: (server) =>
    set(({ revisions }) => ({
      revisions: { ...revisions, [server]: (revisions[server] ?? 0) + 1 },
    })),
  set: (view) =>
    set((state) => {
      // It may have a thousand findings: what says the same draws nothing again.
      const kept = shared(state.views[view.server], view);
      if (kept === state.views[view.server]) return state;
      return { views: { ...state.views, [view.server]: kept } };
    }),
}));
