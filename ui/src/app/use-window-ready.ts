import { useEffect, useRef } from 'react';
import { useBackend } from '@/backend/backend';
import { afterPaint } from '@/components/use-painted';
import { loadInTurn } from '@/lib/lazy-component';
import { showError } from '@/state/notices';
import { preloadTabs } from './tabs';

/** Tells the host once that the window has been painted with what it is about. */
export function useWindowReady(loaded: boolean): void {
  const backend = useBackend();
  const told = useRef(false);
  useEffect(() => {
    if (!loaded || told.current) return;
    told.current = true;
    afterPaint(() => {
      backend.windowReady().catch(showError);
      void preloadTabs().then(() => loadInTurn(() => import('./Dialogs')));
    });
  }, [backend, loaded]);
}
