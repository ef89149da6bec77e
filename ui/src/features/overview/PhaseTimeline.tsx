import type { ConnectionStatus, Phase, PhaseRecord } from '@/backend/bindings';
import { classes } from '@/components/classes';
import { Section } from '@/components/section';
import { isUnderWay, phaseWords, StatusGlyph } from '@/components/status-glyph';
import { useElapsed } from '@/components/use-elapsed';
import { formatDuration } from '@/lib/format';
import styles from './overview.module.css';

/** The phases of an attempt below each other, each as long as it took. */
export function PhaseTimeline({ status }: { status: ConnectionStatus }) {
  const running = isUnderWay(status.phase);
  const begun = status.timeline[0]?.started ?? null;
  const elapsed = useElapsed(begun, running);
  const passed = status.timeline.filter((record) => running || record.duration !== null);
  const failed = failedRecord(passed, status);
  const finished = passed.reduce((end, record) => Math.max(end, endOf(record) - (begun ?? 0)), 0);
  const total = Math.max(running ? elapsed : finished, 1);
  return (
    <Section
      title={running ? 'Connecting' : 'Phases'}
      aside={<span className={styles.remark}>{formatDuration(total)}</span>}
    >
      <ol className={styles.timeline}>
        {passed.map((record) => {
          const offset = (record.started ?? 0) - (begun ?? 0);
          const length = record.duration ?? Math.max(0, total - offset);
          return (
            <li key={`${record.phase}-${record.started}`} className={styles.phase}>
              <StatusGlyph phase={glyphPhase(record, record === failed)} />
              <span className={styles.phaseName}>{phaseWords(record.phase)}</span>
              <span className={styles.phaseTrack} aria-hidden="true">
                <span
                  className={classes(styles.phaseBar, record.duration === null && styles.running)}
                  style={{
                    left: `${Math.min(99, (offset / total) * 100)}%`,
                    width: `max(3px, ${Math.min(100, (length / total) * 100)}%)`,
                  }}
                />
              </span>
              <span className={classes(styles.phaseDuration, 'mono')}>
                {formatDuration(length)}
              </span>
              <span className={styles.phaseDetail}>
                {record === failed && (
                  <span className={styles.phaseFailed}>{phaseWords('failed')}</span>
                )}
                {record === failed && record.detail && ' · '}
                {record.detail}
              </span>
            </li>
          );
        })}
      </ol>
    </Section>
  );
}

/** The phase in which the attempt failed; to clean up after it is not what failed. */
function failedRecord(
  records: readonly PhaseRecord[],
  { phase }: ConnectionStatus,
): PhaseRecord | undefined {
  if (phase !== 'failed') return undefined;
  return records.findLast((record) => record.phase !== 'cleaning_up' && record.phase !== 'failed');
}

function glyphPhase(record: PhaseRecord, hasFailed: boolean): Phase {
  if (hasFailed) return 'failed';
  return record.duration === null ? record.phase : 'ready';
}

function endOf(record: PhaseRecord): number {
  return (record.started ?? 0) + (record.duration ?? 0);
}
