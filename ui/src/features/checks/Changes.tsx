import { useBackend } from '@/backend/backend';
import type { ServerId, ServerView, SurfaceView } from '@/backend/bindings';
import { Banner } from '@/components/Banner';
import { Button } from '@/components/Button';
import { Tooltip } from '@/components/Tooltip';
import { useAsyncEffect } from '@/components/use-async-effect';
import { runAction } from '@/state/actions';
import { useChecks } from '@/state/checks/checks';
import { useSurfaces } from '@/state/checks/surfaces';
import { changesText } from '@/state/checks/texts';
import { useIsOwn, useSurface } from '@/state/checks/verdict';
import { useNavigation } from '@/state/navigation';
import { useBusy } from '@/state/servers/attempt';
import { isLive } from '@/state/servers/phases';
import { ChangeList } from '@/widgets/surface-changes/ChangeList';
import { type PaneProps, Part } from './Part';
import { SURFACE } from './texts';

/** The changes of a server since its lists were stored, with what to do about them. */
export function Changes({ server, judgement }: PaneProps) {
  const view = useSurface(server);
  const { isBusy, accept, keep, pin } = useSurfaceChange(server.id);
  const isOwn = useIsOwn(server.id);
  if (!view) return <Part part="changes" judgement={judgement} />;
  const hasAlarm = view.breaking + view.attention > 0;
  return (
    <Part
      part="changes"
      judgement={judgement}
      aside={
        <div className="row wrap gap-2-4">
          {hasAlarm && (
            <>
              <Tooltip text={SURFACE.acceptMeaning}>
                <Button variant="primary" isDisabled={isBusy} onPress={accept}>
                  {SURFACE.accept}
                </Button>
              </Tooltip>
              {!view.isPinned && (
                <Tooltip text={SURFACE.keepMeaning}>
                  <Button isDisabled={isBusy} onPress={keep}>
                    {SURFACE.keep}
                  </Button>
                </Tooltip>
              )}
            </>
          )}
          <Tooltip text={SURFACE.pinMeaning}>
            <Button isDisabled={isBusy} onPress={pin}>
              {SURFACE.pin}
            </Button>
          </Tooltip>
          <Button onPress={() => runAction('server.compare')}>{SURFACE.compare}</Button>
        </div>
      }
    >
      {isOwn && <p className="remark">{SURFACE.own}</p>}
      {view.isPossibleRugPull && <p className="semibold">{SURFACE.rugPull}</p>}
      <ChangeList changes={view.changes} leftOut={view.leftOut} />
    </Part>
  );
}

/** Tells that a server shows other lists than before. */
export function SurfaceBanner({ server }: { server: ServerView }) {
  useSurfaceReading(server);
  const view = useSurface(server);
  const { isBusy, accept } = useSurfaceChange(server.id);
  const isOwn = useIsOwn(server.id);
  if (!view || isOwn || view.breaking + view.attention === 0) return null;
  const show = () => {
    useChecks.getState().show(server.id, 'changes');
    useNavigation.getState().open({ server: server.id, tab: 'checks' });
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

/** Decides with which lists a server is compared. */
function useSurfaceChange(server: ServerId) {
  const backend = useBackend();
  const { isBusy, run } = useBusy();
  const store = (change: (server: ServerId) => Promise<SurfaceView>) =>
    void run(async () => useSurfaces.getState().set(await change(server)));
  /** Decides by a button that goes, with its focus to what is shown. */
  const decide = (change: (server: ServerId) => Promise<SurfaceView>) => {
    store(change);
    useNavigation.getState().open({ server });
  };
  return {
    isBusy,
    accept: () => decide(backend.acceptSurface),
    keep: () => decide(backend.rejectSurface),
    pin: () => store(backend.pinSurface),
  };
}
