import { useCallback, useState } from 'react';
import { recall, remember } from '@/lib/remembered';

const NAME = 'traffic.view';

/**
 * The rows of the drawer: one for each message, or one for each thing that was done; or those as bars
 * over time.
 */
export type DrawerView = 'messages' | 'operations' | 'timeline';

/** The view that the user chose, also for the next time the window opens. */
export function useDrawerView(): [DrawerView, (view: DrawerView) => void] {
  const [view, setView] = useState<DrawerView>(() => recall(NAME, isView) ?? 'messages');
  const choose = useCallback((chosen: DrawerView) => {
    setView(chosen);
    remember(NAME, chosen);
  }, []);
  return [view, choose];
}

function isView(value: unknown): value is DrawerView {
  return value === 'messages' || value === 'operations' || value === 'timeline';
}
