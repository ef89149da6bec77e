import { useCallback, useState } from 'react';
import { recall, remember } from '@/lib/remembered';

const NAME = 'traffic.view';

/**
 * The views of the drawer: what was done, each with what belongs to it; what servers print and log;
 * what was done as bars over time; and every message.
 */
export const DRAWER_VIEWS = ['calls', 'log', 'timeline', 'raw'] as const;

export type DrawerView = (typeof DRAWER_VIEWS)[number];

/** Tells whether a view is of messages, and not of what was done. */
export function isOfMessages(view: DrawerView): boolean {
  return view === 'raw' || view === 'log';
}

/** The view that the user chose, also for the next time the window opens. */
export function useDrawerView(): [DrawerView, (view: DrawerView) => void] {
  const [view, setView] = useState<DrawerView>(() => recall(NAME, isView) ?? 'calls');
  const choose = useCallback((chosen: DrawerView) => {
    setView(chosen);
    remember(NAME, chosen);
  }, []);
  return [view, choose];
}

function isView(value: unknown): value is DrawerView {
  return DRAWER_VIEWS.some((view) => view === value);
}
