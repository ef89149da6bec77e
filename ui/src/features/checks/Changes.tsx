import { Button } from '@/components/Button';
import { Tooltip } from '@/components/Tooltip';
import { runAction } from '@/state/actions';
import { useIsOwn, useSurface } from '@/state/checks/verdict';
import { ChangeList } from '@/widgets/surface-changes/ChangeList';
import { type PaneProps, Part } from './Part';
import { SURFACE } from './surface-texts';
import { useSurfaceChange } from './use-surface-change';

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
