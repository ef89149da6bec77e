import type { FailureReport } from '@/backend/bindings';
import { visibleLines } from '@/lib/visible-text';
import styles from './failure.module.css';

/** The line of the user's own code that failed, with the error; at least the error. */
export function Cause({ report: { trace, headline } }: { report: FailureReport }) {
  const lines = trace?.excerpt ?? (headline === null ? [] : [headline]);
  const error = lines.at(-1);
  if (error === undefined) return null;
  return (
    <pre className={styles.output} dir="auto">
      {lines.slice(0, -1).map((line) => `${visibleLines(line)}\n`)}
      <span className="bad">{visibleLines(error)}</span>
    </pre>
  );
}

/** A sentence of the backend, in which code stands between backticks. */
export function CodeSentence({ text }: { text: string }) {
  return (
    <>
      {text.split('`').map((part, index) =>
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one sentence never move
        index % 2 === 1 ? <code key={index}>{part}</code> : part,
      )}
    </>
  );
}
