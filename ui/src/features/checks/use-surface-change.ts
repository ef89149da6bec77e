import { useBackend } from '@/backend/backend';
import type { ServerId, SurfaceView } from '@/backend/bindings';
import { useSurfaces } from '@/state/checks/surfaces';
import { openPlace } from '@/state/navigation';
import { useBusy } from '@/state/servers/attempt';

/** Decides with which lists a server is compared. */
export function useSurfaceChange(server: ServerId) {
  const backend = useBackend();
  const { isBusy, run } = useBusy();
  const store = (change: (server: ServerId) => Promise<SurfaceView>) =>
    void run(async () => useSurfaces.getState().set(await change(server)));
  /** Decides by a button that goes, with its focus to what is shown. */
  const decide = (change: (server: ServerId) => Promise<SurfaceView>) => {
    store(change);
    openPlace({ server });
  };
  return {
    isBusy,
    accept: () => decide(backend.acceptSurface),
    keep: () => decide(backend.rejectSurface),
    pin: () => store(backend.pinSurface),
  };
}
