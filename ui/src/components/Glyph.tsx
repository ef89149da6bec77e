import { classes } from './classes';
import styles from './glyph.module.css';

/** The colour of a status; never without a glyph and a word. */
export type Tone = 'ok' | 'warn' | 'bad' | 'busy' | 'idle';

export interface GlyphProps {
  glyph: string;
  tone: Tone;
}

/** A status as it is drawn: a glyph in its colour, and the text beside it. */
export interface StatusLabel extends GlyphProps {
  label: string;
}

/** The picture of a status. Always stands beside its text, so it has no name of its own. */
export function Glyph({ glyph, tone }: GlyphProps) {
  return (
    <span className={classes(styles.glyph, tone)} aria-hidden="true">
      {glyph}
    </span>
  );
}
