import { useState } from 'react';
import type { FrameId } from '@/backend/bindings';
import { dataAddress } from '@/lib/mime';
import { Picture } from '@/widgets/media/Picture';
import { Sound } from '@/widgets/media/Sound';
import styles from './result.module.css';
import { CONTENT } from './texts';
import { useBlob } from './use-blob';

interface MediaProps {
  frame: FrameId | null;
  pointer: string;
  mimeType: string;
  size: number;
}

/** More than this waits until the user asks for it. */
const MAX_AUTOMATIC_SIZE = 16 * 1024 * 1024;

/** An image from its base64, on a chequered ground, with its measures. */
export function ImageContent({ frame, pointer, mimeType, size }: MediaProps) {
  const [asked, setAsked] = useState(size <= MAX_AUTOMATIC_SIZE);
  const blob = useBlob(frame, pointer, asked);
  if (!asked) {
    return (
      <button type="button" className={styles.link} onClick={() => setAsked(true)}>
        {CONTENT.showImage(size)}
      </button>
    );
  }
  if (blob === undefined)
    return <p className="pad-x-7 pad-y-3 text-data faint">{CONTENT.loading(size)}</p>;
  if ('failure' in blob) return <p className="bad">✕ {blob.failure}</p>;
  return <Picture address={dataAddress(mimeType, blob.base64)} />;
}

/** SVG that came as text. */
export function SvgText({ text }: { text: string }) {
  return <Picture address={`data:image/svg+xml,${encodeURIComponent(text)}`} />;
}

/** A sound from its base64. */
export function AudioContent({ frame, pointer, mimeType, size }: MediaProps) {
  const blob = useBlob(frame, pointer);
  if (blob === undefined)
    return <p className="pad-x-7 pad-y-3 text-data faint">{CONTENT.loading(size)}</p>;
  if ('failure' in blob) return <p className="bad">✕ {blob.failure}</p>;
  return <Sound address={dataAddress(mimeType, blob.base64)} />;
}
