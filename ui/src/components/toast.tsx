import { X } from 'lucide-react';
import { Text } from 'react-aria-components';
import {
  UNSTABLE_Toast as Toast,
  UNSTABLE_ToastContent as ToastContent,
  UNSTABLE_ToastQueue as ToastQueue,
  UNSTABLE_ToastRegion as ToastRegion,
} from 'react-aria-components/Toast';
import { asCommandError } from '@/backend/error';
import { visibleLines } from '@/lib/visible-text';
import { IconButton } from './button';
import styles from './toast.module.css';

interface Message {
  tone: 'error' | 'note';
  title: string;
  hint: string | null;
}

const queue = new ToastQueue<Message>({ maxVisibleToasts: 3 });

/** Says for a few seconds that something was done. */
export function showNote(title: string): void {
  queue.add({ tone: 'note', title, hint: null }, { timeout: 5000 });
}

/** Says what a rejected command says, with its hint, until a person closes it. */
export function showError(reason: unknown): void {
  const { message, hint } = asCommandError(reason);
  queue.add({ tone: 'error', title: message, hint });
}

/** Where the messages appear. Stands once in the window. */
export function Toasts() {
  return (
    <ToastRegion queue={queue} aria-label="Messages" className={styles.region}>
      {({ toast }) => (
        <Toast toast={toast} className={styles.toast}>
          <span className={styles.glyph} data-tone={toast.content.tone} aria-hidden="true">
            {toast.content.tone === 'error' ? '✕' : '✓'}
          </span>
          <ToastContent className={styles.content}>
            <Text slot="title">{visibleLines(toast.content.title)}</Text>
            {toast.content.hint && (
              <Text slot="description" className={styles.hint}>
                {visibleLines(toast.content.hint)}
              </Text>
            )}
          </ToastContent>
          <IconButton slot="close" label="Dismiss">
            <X size={13} aria-hidden="true" />
          </IconButton>
        </Toast>
      )}
    </ToastRegion>
  );
}
