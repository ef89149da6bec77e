import { useBackend } from '@/backend/backend';
import type { ConnectStep, ServerView, StepOutcome, TransportKind } from '@/backend/bindings';
import { Button } from '@/components/Button';
import { classes } from '@/components/classes';
import { Section } from '@/components/Section';
import { formatDuration } from '@/lib/format';
import { visibleText } from '@/lib/visible-text';
import { showError } from '@/state/notices';
import styles from './doctor.module.css';
import { eraLabel } from './era';

const LOOK: Record<StepOutcome, { glyph: string; word: string; tone: string | undefined }> = {
  running: { glyph: '◐', word: 'Running', tone: styles.skipped },
  succeeded: { glyph: '●', word: 'Worked', tone: styles.passed },
  failed: { glyph: '✕', word: 'Refused', tone: styles.failed },
  superseded: { glyph: '○', word: 'Not needed', tone: styles.skipped },
};

const TRANSPORTS: Record<TransportKind, string> = {
  stdio: 'stdio',
  http: 'HTTP',
  sse: 'SSE',
  web_socket: 'WebSocket',
};

/** The ways to connect that were tried, and the one that is remembered. */
export function ConnectSteps({ server }: { server: ServerView }) {
  const backend = useBackend();
  const { steps, known_endpoint: known } = server.status;
  if (steps.length === 0 && !known) return null;
  return (
    <Section
      title="How it connected"
      aside={
        known && (
          <span className={styles.actions}>
            <span className={styles.remark}>
              Next time: {TRANSPORTS[known.transport]}, {eraLabel(known.era)} first
            </span>
            <Button onPress={() => void backend.forgetFound(server.id).catch(showError)}>
              Try all again
            </Button>
          </span>
        )
      }
    >
      <ol className={styles.checks}>
        {steps.map((step, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: steps are only ever added at the end
          <Step key={index} step={step} />
        ))}
      </ol>
    </Section>
  );
}

function Step({ step }: { step: ConnectStep }) {
  const { glyph, word, tone } = LOOK[step.outcome];
  return (
    <li className={styles.row}>
      <span className={classes(styles.glyph, tone)} aria-hidden="true">
        {glyph}
      </span>
      <span>{TRANSPORTS[step.transport]}</span>
      <span className={styles.word}>{word}</span>
      <span className={styles.summary}>
        <code>{visibleText(step.what)}</code> {visibleText(step.summary ?? '')}
      </span>
      <span className={styles.duration}>
        {step.duration !== null && formatDuration(step.duration)}
      </span>
    </li>
  );
}
