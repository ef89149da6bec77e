import { UNSTABLE_ToastQueue as ToastQueue } from 'react-aria-components/Toast';
import { asCommandError } from '@/backend/error';

/** A message that the window shows over its content. */
interface Notice {
  tone: 'error' | 'note';
  title: string;
  hint: string | null;
}

/** Notices on screen at once; others wait for their turn. */
const MAX_VISIBLE = 3;
/** Milliseconds for which a note stays. */
const NOTE_TIMEOUT = 5000;

/** The notices of the window, the newest first. Drawn by `widgets/Notices`. */
export const notices = new ToastQueue<Notice>({ maxVisibleToasts: MAX_VISIBLE });

/** Shows for a few seconds that something was done. */
export function showNote(title: string): void {
  notices.add({ tone: 'note', title, hint: null }, { timeout: NOTE_TIMEOUT });
}

/** Shows the error of a rejected command, with its hint, until the user closes it. */
export function showError(reason: unknown): void {
  const { message, hint } = asCommandError(reason);
  notices.add({ tone: 'error', title: message, hint });
}
