import { useState } from 'react';
import { useBackend } from '@/backend/backend';
import type { SurfaceView } from '@/backend/bindings';
import { Button } from '@/components/Button';
import { Tooltip } from '@/components/Tooltip';
import { runAction } from '@/state/actions';
import { useSurfaces } from '@/state/checks/surfaces';
import { useIsOwn, useSurface } from '@/state/checks/verdict';
import { showError } from '@/state/notices';
import { ChangeList } from '@/widgets/surface-changes/ChangeList';
import { type PaneProps, Part } from './Part';
import { SURFACE } from './texts';

/** The changes of a server since its lists were stored, with what to do about them. */
export function Changes({ server, judgement }: PaneProps) {
  const view = useSurface(server);
  const { isBusy, run } = useSurfaceChange();
  const isOwn = useIsOwn(server.id);
  const backend = useBackend();
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
                <Button
                  variant="primary"
                  isDisabled={isBusy}
                  onPress={() => void run(backend.acceptSurface(view.server))}
                >
                  {SURFACE.accept}
                </Button>
              </Tooltip>
              {!view.isPinned && (
                <Tooltip text={SURFACE.keepMeaning}>
                  <Button
                    isDisabled={isBusy}
                    onPress={() => void run(backend.rejectSurface(view.server))}
                  >
                    {SURFACE.keep}
                  </Button>
                </Tooltip>
              )}
            </>
          )}
          <Tooltip text={SURFACE.pinMeaning}>
            <Button isDisabled={isBusy} onPress={() => void run(backend.pinSurface(view.server))}>
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

/** Changes which lists a server is compared with. */
export function useSurfaceChange() {
  const [isBusy, setBusy] = useState(false);
  const run = async (changed: Promise<SurfaceView>) => {
    setBusy(true);
    try {
      useSurfaces.getState().set(await changed);
    } catch (reason) {
      showError(reason);
    } finally {
      setBusy(false);
    }
  };
  return { isBusy, run };
}
