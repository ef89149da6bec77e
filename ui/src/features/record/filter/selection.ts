import { useCallback, useState } from 'react';
import type { ExchangeKind, ServerId } from '@/backend/bindings';
import { recall, remember } from '@/lib/remembered';

/** The rows that the user wants to see. */
export interface Selection {
  readonly filter: string;
  readonly kinds: readonly ExchangeKind[];
  readonly invert: boolean;
  readonly server: ServerId | null;
  /** Shows phases, and the checks of the doctor, as rows. */
  readonly phases: boolean;
  /** Shows as rows what connections that check servers sent and got. */
  readonly checks: boolean;
}

/** Tells whether a selection leaves rows out. */
export function isNarrowed(selection: Selection): boolean {
  return selection.filter.trim() !== '' || selection.kinds.length > 0 || selection.server !== null;
}

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
