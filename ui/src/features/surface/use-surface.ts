import { useBackend } from '@/backend/backend';
import type { ServerView, SurfaceView } from '@/backend/bindings';
import { useAsyncEffect } from '@/components/use-async-effect';
import { useSurfaces } from '@/state/surfaces';

/** Returns the changes and findings of a connected server, read again after each comparison. */
export function useSurface(server: ServerView): SurfaceView | null {
  const backend = useBackend();
  const revision = useSurfaces((state) => state.revisions[server.id] ?? 0);
  const view = useSurfaces((state) => state.views[server.id] ?? null);
  const isReady = server.status.phase === 'ready';
  // biome-ignore lint/correctness/useExhaustiveDependencies: a comparison makes the view old.
  useAsyncEffect(
    () =>
      isReady
        ? { start: () => backend.surface(server.id), onValue: useSurfaces.getState().set }
        : null,
    [backend, server.id, revision, isReady],
  );
  return isReady ? view : null;
}
