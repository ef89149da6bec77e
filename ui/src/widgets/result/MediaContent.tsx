import { type ReactNode, Suspense, useState } from 'react';
import { useBackend } from '@/backend/backend';
import type { FrameId } from '@/backend/bindings';
import { asCommandError } from '@/backend/error';
import { useAsyncEffect } from '@/components/use-async-effect';
import { lazyComponent } from '@/lib/lazy-component';
import { dataAddress } from '@/lib/mime';
import { Picture, Sound } from '@/widgets/media/Picture';
import { PDF } from '@/widgets/pdf/texts';
import styles from './result.module.css';
import { CONTENT } from './texts';

interface BlobProps {
  frame: FrameId | null;
  pointer: string;
  size: number;
  /** Offers to show what is too large to be loaded unasked. */
  offer?: string;
  /** Draws it, once it is there as Base64. */
  children(base64: string): ReactNode;
}

/** The largest content that is loaded without being asked for, in bytes. */
const MAX_AUTOMATIC_SIZE = 16 * 1024 * 1024;

/** Binary content of a message, which is loaded for this. */
export function BlobContent({ frame, pointer, size, offer, children }: BlobProps) {
  const backend = useBackend();
  const [asked, setAsked] = useState(offer === undefined || size <= MAX_AUTOMATIC_SIZE);
  const [blob, setBlob] = useState<{ base64: string } | { failure: string }>();
  useAsyncEffect(() => {
    setBlob(undefined);
    if (frame === null || !asked) return null;
    return {
      start: () => backend.getBlobBase64(frame, pointer),
      onValue: (base64) => setBlob({ base64 }),
      onError: (reason) => setBlob({ failure: asCommandError(reason).message }),
    };
  }, [backend, frame, pointer, asked]);
  if (!asked) {
    return (
      <button type="button" className={styles.link} onClick={() => setAsked(true)}>
        {offer}
      </button>
    );
  }
  if (blob === undefined)
    return <p className="pad-x-7 pad-y-3 text-data faint">{CONTENT.loading(size)}</p>;
  if ('failure' in blob) return <p className="bad">✕ {blob.failure}</p>;
  return children(blob.base64);
}

type MediaProps = Omit<BlobProps, 'offer' | 'children'> & { mimeType: string };

/** An image of a message. */
export function ImageContent({ mimeType, ...blob }: MediaProps) {
  return (
    <BlobContent {...blob} offer={CONTENT.showImage(blob.size)}>
      {(base64) => <Picture address={dataAddress(mimeType, base64)} />}
    </BlobContent>
  );
}

/** An image in SVG, drawn as an image so that nothing in it runs or loads. */
export function SvgText({ text }: { text: string }) {
  return <Picture address={`data:image/svg+xml,${encodeURIComponent(text)}`} />;
}

/** A sound of a message, which is only loaded for this. */
export function AudioContent({ mimeType, ...blob }: MediaProps) {
  return (
    <BlobContent {...blob}>
      {(base64) => <Sound address={dataAddress(mimeType, base64)} />}
    </BlobContent>
  );
}

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
