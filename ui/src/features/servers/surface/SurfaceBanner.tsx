import type { ServerView } from '@/backend/bindings';
import { Banner } from '@/components/Banner';
import { Button } from '@/components/Button';
import { useNavigation } from '@/state/navigation';
import { SURFACE, summaryOf } from './texts';
import { useSurface, useSurfaceReading } from './use-surface';

/** Tells that a server is not the one that the user agreed to. */
export function SurfaceBanner({ server }: { server: ServerView }) {
  useSurfaceReading(server);
  const view = useSurface(server);
  if (!view || view.breaking + view.attention === 0) return null;
  return (
    <Banner
      tone={view.breaking > 0 ? 'bad' : 'warn'}
      actions={
        <Button onPress={() => useNavigation.getState().selectTab(server.id, 'overview')}>
          {SURFACE.show}
        </Button>
      }
    >
      {summaryOf(view)} {view.isPossibleRugPull && SURFACE.rugPullShort}
    </Banner>
  );
}
