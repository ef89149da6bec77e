import styles from './media.module.css';
import { MEDIA } from './texts';

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
