import { Suspense, useState } from 'react';
import type { FrameId } from '@/backend/bindings';
import { lazyComponent } from '@/lib/lazy-component';
import { PDF } from '@/widgets/pdf/texts';
import styles from './result.module.css';
import { CONTENT } from './texts';
import { useBlob } from './use-blob';

/** Loaded once there is a PDF: its reader is large. */
const PdfView = lazyComponent(() => import('@/widgets/pdf/PdfView'), 'default');

/** More than this waits until the user asks for it. */
const MAX_AUTOMATIC_SIZE = 16 * 1024 * 1024;

interface Props {
  frame: FrameId | null;
  pointer: string;
  name: string;
  size: number;
  fills: boolean;
  onSave(): void;
}

/** The pages of a PDF that was sent as base64. */
export function PdfContent({ frame, pointer, name, size, fills, onSave }: Props) {
  const [asked, setAsked] = useState(size <= MAX_AUTOMATIC_SIZE);
  const blob = useBlob(frame, pointer, asked);
  if (!asked) {
    return (
      <button type="button" className={styles.link} onClick={() => setAsked(true)}>
        {PDF.show(size)}
      </button>
    );
  }
  if (blob === undefined)
    return <p className="pad-x-7 pad-y-3 text-data faint">{CONTENT.loading(size)}</p>;
  if ('failure' in blob) return <p className="bad">✕ {blob.failure}</p>;
  return (
    <div className={fills ? styles.fills : styles.windowed}>
      <Suspense fallback={<p className="pad-x-7 pad-y-3 text-data faint">{PDF.loading}</p>}>
        <PdfView base64={blob.base64} name={name} onSave={onSave} />
      </Suspense>
    </div>
  );
}
