import { entirelyVisible, entirelyVisibleLines } from '@/lib/visible-text';
import { classes } from './classes';

interface ConfirmedProps {
  text: string;
  /** Keeps line breaks and tabs. */
  isLines?: boolean;
  className?: string | undefined;
}

/**
 * A text of somebody else that the user agrees to. All of it is seen: it wraps, characters that
 * have no look of their own are escapes, and many blanks are counted.
 */
export function Confirmed({ text, isLines, className }: ConfirmedProps) {
  const shown = isLines ? entirelyVisibleLines(text) : entirelyVisible(text);
  return <code className={classes('pre-wrap', className)}>{shown}</code>;
}
