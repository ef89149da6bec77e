import { X } from 'lucide-react';
import { Text } from 'react-aria-components';
import {
  UNSTABLE_Toast as Toast,
  UNSTABLE_ToastContent as ToastContent,
  UNSTABLE_ToastRegion as ToastRegion,
} from 'react-aria-components/Toast';
import { IconButton } from '@/components/Button';
import { visibleLines } from '@/lib/visible-text';
import { notices } from '@/state/notices';
import styles from './notices.module.css';

/** Draws the notices. Stands once in the window. */
export function Notices() {
  return (
    <ToastRegion queue={notices} aria-label="Messages" className={styles.region}>
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
