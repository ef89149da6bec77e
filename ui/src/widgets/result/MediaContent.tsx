import { useEffect, useState } from 'react';
import type { FrameId } from '@/backend/bindings';
import { safeType } from './mime';
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
  if (blob === undefined) return <p className={styles.waiting}>{CONTENT.loading(size)}</p>;
  if ('failure' in blob) return <p className={styles.bad}>✕ {blob.failure}</p>;
  return <Picture address={`data:${safeType(mimeType)};base64,${blob.base64}`} />;
}

/** SVG that came as text. */
export function SvgText({ text }: { text: string }) {
  return <Picture address={`data:image/svg+xml,${encodeURIComponent(text)}`} />;
}

function Picture({ address }: { address: string }) {
  const [measures, setMeasures] = useState<string>();
  const [isBroken, setBroken] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another image may be sound.
  useEffect(() => setBroken(false), [address]);
  if (isBroken) {
    return <p className={styles.bad}>✕ {CONTENT.brokenImage}</p>;
  }
  return (
    <figure className={styles.figure}>
      <img
        className={styles.image}
        src={address}
        alt={CONTENT.image}
        onLoad={({ currentTarget: image }) =>
          setMeasures(CONTENT.measures(image.naturalWidth, image.naturalHeight))
        }
        onError={() => setBroken(true)}
      />
      <figcaption className={styles.caption}>{measures}</figcaption>
    </figure>
  );
}

/** A sound from its base64. */
export function AudioContent({ frame, pointer, mimeType, size }: MediaProps) {
  const blob = useBlob(frame, pointer);
  if (blob === undefined) return <p className={styles.waiting}>{CONTENT.loading(size)}</p>;
  if ('failure' in blob) return <p className={styles.bad}>✕ {blob.failure}</p>;
  return (
    // biome-ignore lint/a11y/useMediaCaption: the server sent a sound without captions.
    <audio
      className={styles.audio}
      controls
      aria-label={CONTENT.sound}
      src={`data:${safeType(mimeType)};base64,${blob.base64}`}
    />
  );
}
