import type { FailureReport, StackTrace } from '@/backend/bindings';
import { Button } from '@/components/Button';
import { copyText } from '@/lib/clipboard';
import { visibleLines, visibleText } from '@/lib/visible-text';
import { showError, showNote } from '@/state/notices';
import styles from './failure.module.css';
import { PLACE } from './texts';

/** The line of the user's own code that failed, with the error; at least the error. */
export function Cause({ report }: { report: FailureReport }) {
  const lines = causeOf(report);
  const error = lines.at(-1);
  if (error === undefined) return null;
  return (
    <pre className={styles.output} dir="auto">
      {lines.slice(0, -1).map((line) => `${visibleLines(line)}\n`)}
      <span className="bad">{visibleLines(error)}</span>
    </pre>
  );
}

/** Returns the lines that name the cause of a failure. */
export function causeOf({ trace, headline }: FailureReport): readonly string[] {
  return trace?.excerpt ?? (headline === null ? [] : [headline]);
}

/** Copies file and line of the user's own code, as editors open them. */
export function CopyPlace({ trace: { file, line } }: { trace: StackTrace }) {
  const name = file.split(/[/\\]/).at(-1) ?? file;
  const copy = () => {
    const place = `${file}:${line}`;
    void copyText(place).then(() => showNote(PLACE.copied(visibleText(place))), showError);
  };
  return <Button onPress={copy}>{PLACE.copy(visibleText(name), line)}</Button>;
}

/** Lines that a program wrote, or that explain a failure; nothing without any. */
export function Output({ lines }: { lines: readonly string[] }) {
  if (lines.length === 0) return null;
  return <pre className={styles.output}>{visibleLines(lines.join('\n'))}</pre>;
}
