import { useBackend } from '@/backend/backend';
import type { ServerView } from '@/backend/bindings';
import { Banner } from '@/components/Banner';
import { Button } from '@/components/Button';
import { useAsyncEffect } from '@/components/use-async-effect';
import { useChecks } from '@/state/checks/checks';
import { useSurfaces } from '@/state/checks/surfaces';
import { changesText } from '@/state/checks/texts';
import { useIsOwn, useSurface } from '@/state/checks/verdict';
import { openPlace } from '@/state/navigation';
import { isLive } from '@/state/servers/phases';
import { SURFACE } from './surface-texts';
import { useSurfaceChange } from './use-surface-change';

/** Tells that a server shows other lists than before. */
export function SurfaceBanner({ server }: { server: ServerView }) {
  useSurfaceReading(server);
  const view = useSurface(server);
  const { isBusy, accept } = useSurfaceChange(server.id);
  const isOwn = useIsOwn(server.id);
  if (!view || isOwn || view.breaking + view.attention === 0) return null;
  const show = () => {
    useChecks.getState().show(server.id, 'changes');
    openPlace({ server: server.id, tab: 'checks' });
  };
  return (
    <Banner
      tone={view.breaking > 0 ? 'bad' : 'warn'}
      actions={
        <>
          <Button onPress={show}>{SURFACE.show}</Button>
          <Button isDisabled={isBusy} onPress={accept}>
            {SURFACE.accept}
          </Button>
        </>
      }
    >
      {changesText(view, Date.now())} {view.isPossibleRugPull && SURFACE.rugPullShort}
    </Banner>
  );
}

/**
 * Reads the changes and findings of a connected server, again after each comparison. Called once for
 * each server on the screen: a large list takes its time.
 */
function useSurfaceReading(server: ServerView): void {
  const backend = useBackend();
  const revision = useSurfaces((state) => state.revisions[server.id] ?? 0);
  // Not by the phase itself: each call goes through two, and changes nothing of this.
  const isReady = isLive(server.status.phase);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a comparison makes the view old.
  useAsyncEffect(
    () =>
      isReady
        ? { start: () => backend.getSurface(server.id), onValue: useSurfaces.getState().set }
        : null,
    [backend, server.id, revision, isReady],
  );
}
