import { useState } from 'react';
import { useBackend } from '@/backend/backend';
import type { ServerId, SurfaceView } from '@/backend/bindings';
import { useSurfaces } from '@/state/checks/surfaces';
import { useNavigation } from '@/state/navigation';
import { showError } from '@/state/notices';

/** Decides with which lists a server is compared. */
export function useSurfaceChange(server: ServerId) {
  const backend = useBackend();
  const [isBusy, setBusy] = useState(false);
  const run = async (change: (server: ServerId) => Promise<SurfaceView>) => {
    setBusy(true);
    try {
      useSurfaces.getState().set(await change(server));
    } catch (reason) {
      showError(reason);
    } finally {
      setBusy(false);
    }
  };
  /** Decides by a button that goes, with its focus to what is shown. */
  const decide = (change: (server: ServerId) => Promise<SurfaceView>) => {
    void run(change);
    useNavigation.getState().open({ server });
  };
  return {
    isBusy,
    accept: () => decide(backend.acceptSurface),
    keep: () => decide(backend.rejectSurface),
    pin: () => void run(backend.pinSurface),
  };
}
