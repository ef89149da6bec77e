import { Suspense } from 'react';
import type { FrameId } from '@/backend/bindings';
import { lazyComponent } from '@/lib/lazy-component';
import { PDF } from '@/widgets/pdf/texts';
import { BlobContent } from './MediaContent';
import styles from './result.module.css';

/** Loaded once there is a PDF: its reader is large. */
const PdfView = lazyComponent(() => import('@/widgets/pdf/PdfView'), 'default');

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
  return (
    <BlobContent frame={frame} pointer={pointer} size={size} offer={PDF.show(size)}>
      {(base64) => (
        <div className={fills ? styles.fills : styles.windowed}>
          <Suspense fallback={<p className="pad-x-7 pad-y-3 text-data faint">{PDF.loading}</p>}>
            <PdfView base64={base64} name={name} onSave={onSave} />
          </Suspense>
        </div>
      )}
    </BlobContent>
  );
}
