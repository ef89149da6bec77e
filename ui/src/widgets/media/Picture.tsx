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
    return <p className={styles.bad}>✕ {MEDIA.brokenImage}</p>;
  }
  return (
    <figure className={styles.figure}>
      <img
        className={styles.image}
        src={address}
        alt={label}
        onLoad={({ currentTarget: image }) =>
          setMeasures(MEDIA.measures(image.naturalWidth, image.naturalHeight))
        }
        onError={() => setBroken(true)}
      />
      <figcaption className={styles.caption}>{measures}</figcaption>
    </figure>
  );
}
