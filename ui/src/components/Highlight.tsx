import { type Found, foundIn } from '@/lib/rank';
import styles from './highlight.module.css';

interface HighlightProps {
  text: string;
  /** The search whose finds are marked. */
  search: string;
  /** False for a sentence, in which letters here and there are no find. */
  isName?: boolean;
}

/** A text in which what a search found is marked. */
export function Highlight({ text, search, isName = true }: HighlightProps) {
  if (search.trim() === '') return text;
  const found = foundIn(text, search, isName);
  return found.length === 0 ? text : parts(text, found);
}

function parts(text: string, found: Found) {
  let from = 0;
  const result = found.flatMap(([first, end]) => {
    const before = text.slice(from, first);
    from = end;
    return [
      before,
      <mark key={first} className={styles.found}>
        {text.slice(first, end)}
      </mark>,
    ];
  });
  return [...result, text.slice(from)];
}
