import { useEffect, useState } from 'react';
import styles from './media.module.css';
import { MEDIA } from './texts';

interface MediaProps {
  address: string;
  /** Its accessible name. */
  label?: string;
}

/** A picture on a chequered ground, with its measures. */
export function Picture({ address, label = MEDIA.image }: MediaProps) {
  const [measures, setMeasures] = useState<string>();
  const [isBroken, setBroken] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another image may be sound.
  useEffect(() => setBroken(false), [address]);
  if (isBroken) {
    return <p className="bad">✕ {MEDIA.brokenImage}</p>;
  }
  return (
    <figure className="pad-x-7 pad-y-2">
      <img
        className={styles.image}
        src={address}
        alt={label}
        onLoad={({ currentTarget: image }) =>
          setMeasures(MEDIA.measures(image.naturalWidth, image.naturalHeight))
        }
        onError={() => setBroken(true)}
      />
      <figcaption className="mt-2 text-data faint">{measures}</figcaption>
    </figure>
  );
}

interface SoundProps {
  address: string;
  /** Its accessible name. */
  label?: string;
}

/** A sound with its controls. */
export function Sound({ address, label = MEDIA.sound }: SoundProps) {
  return (
    // biome-ignore lint/a11y/useMediaCaption: a sound comes without captions.
    <audio className={styles.audio} controls aria-label={label} src={address} />
  );
}
