import type { ServerView } from '@/backend/bindings';
import { Banner } from '@/components/Banner';
import { Button } from '@/components/Button';
import { useChecks } from '@/state/checks/checks';
import { changesText } from '@/state/checks/texts';
import { useIsOwn, useSurface } from '@/state/checks/verdict';
import { useNavigation } from '@/state/navigation';
import { SURFACE } from './texts';
import { useSurfaceChange } from './use-surface-change';
import { useSurfaceReading } from './use-surface-reading';

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
