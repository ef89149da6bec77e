import { useBackend } from '@/backend/backend';
import type { ServerView } from '@/backend/bindings';
import { useAsyncEffect } from '@/components/use-async-effect';
import { useSurfaces } from '@/state/checks/surfaces';

/**
 * Reads the changes and findings of a connected server, again after each comparison. Called once for
 * each server on the screen: a large list takes its time.
 */
export function useSurfaceReading(server: ServerView): void {
  const backend = useBackend();
  const revision = useSurfaces((state) => state.revisions[server.id] ?? 0);
  const isReady = server.status.phase === 'ready';
  // biome-ignore lint/correctness/useExhaustiveDependencies: a comparison makes the view old.
  useAsyncEffect(
    () =>
      isReady
        ? { start: () => backend.getSurface(server.id), onValue: useSurfaces.getState().set }
        : null,
    [backend, server.id, revision, isReady],
  );
}
