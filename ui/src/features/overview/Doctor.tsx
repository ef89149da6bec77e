import { useBackend } from '@/backend/backend';
import type { DoctorCheck, DoctorReport, ServerView, Verdict } from '@/backend/bindings';
import { Button } from '@/components/Button';
import { classes } from '@/components/classes';
import { Section } from '@/components/Section';
import { formatDuration, formatQuantity } from '@/lib/format';
import { visibleLines, visibleText } from '@/lib/visible-text';
import { runAction } from '@/state/actions';
import { useDoctor } from '@/state/doctor';
import { showError, showNote } from '@/state/notices';
import styles from './doctor.module.css';
import { FailureAction } from './FailurePanel';

const LOOK: Record<Verdict, { glyph: string; word: string }> = {
  passed: { glyph: '●', word: 'Passed' },
  warning: { glyph: '▲', word: 'Warning' },
  failed: { glyph: '✕', word: 'Failed' },
  skipped: { glyph: '○', word: 'Skipped' },
};

/** The ordered check of a server: the likely cause on top, and what it rests on below. */
export function Doctor({ server }: { server: ServerView }) {
  const backend = useBackend();
  const report = useDoctor((state) => state.reports[server.id]);
  if (!report) return null;
  const isRunning = report.state === 'running';
  return (
    <Section
      title="Doctor"
      aside={
        <span className={styles.actions}>
          {isRunning ? (
            <Button onPress={() => void backend.stopDoctor(server.id).catch(showError)}>
              Stop
            </Button>
          ) : (
            <>
              <Button onPress={() => copy(report)}>Copy as text</Button>
              <Button onPress={() => runAction('server.doctor')}>Check again</Button>
              <Button onPress={() => useDoctor.getState().dismiss(server.id)}>Close</Button>
            </>
          )}
        </span>
      }
    >
      <Conclusion server={server} report={report} />
      <ol className={styles.checks} aria-label="Checks">
        {report.checks.map((check) => (
          <Check key={check.title} check={check} />
        ))}
      </ol>
    </Section>
  );
}

function Conclusion({ server, report }: { server: ServerView; report: DoctorReport }) {
  return (
    <div className={styles.conclusion}>
      <p role="status">{visibleLines(conclusionOf(report))}</p>
      {report.action && (
        <FailureAction server={server} action={report.action} failure={report.failure?.failure} />
      )}
    </div>
  );
}

function conclusionOf({ state, cause, failure, checks }: DoctorReport): string {
  if (state === 'running') return 'Checking…';
  if (state === 'cancelled') return 'Stopped before the end.';
  if (failure) return `Failed: ${failure.reason}. ${cause ?? ''}`;
  if (cause) return `Found: ${cause}`;
  const warnings = checks.filter(({ verdict }) => verdict === 'warning').length;
  return warnings === 0
    ? 'All checks passed.'
    : `It works. ${formatQuantity(warnings, 'check')} below ${warnings === 1 ? 'gives' : 'give'} a warning.`;
}

function Check({ check }: { check: DoctorCheck }) {
  const { glyph, word } = LOOK[check.verdict];
  const head = (
    <>
      <span className={classes(styles.glyph, styles[check.verdict])} aria-hidden="true">
        {glyph}
      </span>
      <span className={styles.title}>{check.title}</span>
      <span className={styles.word}>{word}</span>
      <span className={styles.summary}>{visibleText(check.summary)}</span>
      <span className={styles.duration}>
        {check.duration !== null && formatDuration(check.duration)}
      </span>
    </>
  );
  if (check.evidence.length === 0) {
    return (
      <li>
        <div className={styles.row}>{head}</div>
      </li>
    );
  }
  return (
    <li>
      <details open={check.verdict === 'failed'}>
        <summary className={styles.row}>{head}</summary>
        <pre className={styles.evidence}>{visibleLines(check.evidence.join('\n'))}</pre>
      </details>
    </li>
  );
}

function copy(report: DoctorReport): void {
  void navigator.clipboard
    .writeText(report.text)
    .then(() => showNote('Copied the doctor’s report'))
    .catch(showError);
}
