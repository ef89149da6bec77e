import { useBackend } from '@/backend/backend';
import type { ConnectStep, ServerView, StepOutcome } from '@/backend/bindings';
import { Button } from '@/components/Button';
import { classes } from '@/components/classes';
import { Section } from '@/components/Section';
import { formatDuration } from '@/lib/format';
import { visibleText } from '@/lib/visible-text';
import { showError } from '@/state/notices';
import styles from './steps.module.css';
import { STEP_OUTCOMES, STEPS, TRANSPORTS } from './texts';

const LOOK: Record<StepOutcome, { glyph: string; tone: string | undefined }> = {
  running: { glyph: '◐', tone: 'remark' },
  succeeded: { glyph: '●', tone: 'ok' },
  failed: { glyph: '✕', tone: 'bad' },
  superseded: { glyph: '○', tone: 'remark' },
};

/** The ways to connect that were tried, and the one that is remembered. */
export function ConnectSteps({ server }: { server: ServerView }) {
  const backend = useBackend();
  const { steps, knownEndpoint: known } = server.status;
  if (steps.length === 0 && !known) return null;
  const isPassed = steps.some(({ outcome }) => outcome === 'succeeded');
  return (
    <Section
      title={STEPS.title}
      aside={
        known && (
          <span className="row wrap gap-4">
            <span className="remark">{STEPS.next(known.transport, known.era)}</span>
            <Button onPress={() => void backend.deleteFoundTransport(server.id).catch(showError)}>
              {STEPS.forget}
            </Button>
          </span>
        )
      }
    >
      <ol className="plain-list m-0">
        {steps.map((step, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: steps are only ever added at the end
          <Step key={index} step={step} isPassed={isPassed} />
        ))}
      </ol>
    </Section>
  );
}

/** One way; what a server does not support is no failure once another way was found. */
function Step({ step, isPassed }: { step: ConnectStep; isPassed: boolean }) {
  const { glyph, tone } =
    isPassed && step.outcome === 'failed' ? LOOK.superseded : LOOK[step.outcome];
  const summary = step.summary ?? '';
  return (
    <li className={styles.row}>
      <span className={classes('text-small', tone)} aria-hidden="true">
        {glyph}
      </span>
      <span>{TRANSPORTS[step.transport]}</span>
      <span className="nowrap remark">{STEP_OUTCOMES[step.outcome]}</span>
      <span className={styles.summary}>
        {!summary.includes(step.what) && <code>{visibleText(step.what)}</code>}{' '}
        {visibleText(summary)}
      </span>
      <span className="nowrap text-right remark">
        {step.duration !== null && formatDuration(step.duration)}
      </span>
    </li>
  );
}
