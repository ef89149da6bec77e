import { create } from 'zustand';
import { asCommandError } from '@/backend/error';
import type { ActionId } from './actions';

/** Something that the user can do about a notice. */
export interface NoticeAction {
  label: string;
  run: () => void;
  /** Action whose key does the same, for as long as the notice is shown. */
  id?: ActionId;
}

/** Kind of a notice: something was done, something else, or something went wrong. */
export type NoteTone = 'done' | 'info' | 'warning';

/** A message over the foot of the panes. Needs no decision. */
export interface Notice {
  id: number;
  tone: 'error' | NoteTone;
  title: string;
  hint: string | null;
  action: NoticeAction | null;
}

/** Milliseconds for which a note stays. */
export const NOTE_TIMEOUT = 5000;
/** Milliseconds for which a note stays that offers something to do. */
export const ACTION_TIMEOUT = 10_000;

/** Errors that are kept for their turn. */
const MAX_ERRORS = 3;

interface NoticesState {
  /** The newest comes last, and is the one that is shown. */
  notices: readonly Notice[];
  dismiss(id: number): void;
}

export const useNotices = create<NoticesState>((set) => ({
  notices: [],
  dismiss: (id) =>
    set((state) => ({ notices: state.notices.filter((notice) => notice.id !== id) })),
}));

let last = 0;

/** A note takes the place of the one before it; errors wait below it until they are dismissed. */
function add(notice: Omit<Notice, 'id'>): void {
  last += 1;
  const id = last;
  useNotices.setState(({ notices }) => {
    const errors = notices.filter(({ tone }) => tone === 'error');
    return { notices: [...errors.slice(-MAX_ERRORS), { ...notice, id }] };
  });
}

/** Shows for a few seconds that something was done, with what takes it back where there is that. */
export function showNote(title: string, action: NoticeAction | null = null): void {
  showNotice('done', title, action);
}

/** Shows something for a few seconds that is no outcome of what the user did. */
export function showNotice(
  tone: NoteTone,
  title: string,
  action: NoticeAction | null = null,
): void {
  add({ tone, title, hint: null, action });
}

/** Shows the error of a rejected command, with its hint, until the user closes it. */
export function showError(reason: unknown): void {
  const { message, hint } = asCommandError(reason);
  add({ tone: 'error', title: message, hint, action: null });
}
