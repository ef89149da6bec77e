import type { ConnectionStatus, Phase, PhaseRecord, ServerView } from '@/backend/bindings';
import { classes } from '@/components/classes';
import { PlainButton } from '@/components/PlainButton';
import { Section } from '@/components/Section';
import { useElapsed } from '@/components/use-elapsed';
import { formatDuration } from '@/lib/format';
import { visibleText } from '@/lib/visible-text';
import { showTraffic } from '@/state/navigation';
import { isLive, isUnderWay, phaseLabel } from '@/state/servers/phases';
import { StatusGlyph } from '@/widgets/StatusGlyph';
import styles from './overview.module.css';
import { LIMITS, PHASES } from './texts';

/**
 * The phases of an attempt below each other, each as long as it took. After a session that
 * expired, those of the new one follow those of the one before.
 */
export function PhaseTimeline({ server }: { server: ServerView }) {
  const { status } = server;
  const running = isUnderWay(status.phase);
  const failed = failedRecord(status);
  const starts = startsOf(status.timeline);
  return starts.map((records, index) => (
    <Start
      key={records[0]?.started}
      server={server}
      title={titleOf(running, index, starts.length)}
      records={records}
      failed={failed}
      running={running && index === starts.length - 1}
    />
  ));
}

function titleOf(running: boolean, index: number, count: number): string {
  if (index < count - 1) return PHASES.before;
  return running ? PHASES.connecting : PHASES.title;
}

interface StartProps {
  server: ServerView;
  title: string;
  records: readonly PhaseRecord[];
  failed: PhaseRecord | undefined;
  running: boolean;
}

function Start({ server, title, records, failed, running }: StartProps) {
  const begun = records[0]?.started ?? null;
  const elapsed = useElapsed(begun, running);
  const passed = records.filter((record) => running || record.duration !== null);
  const finished = passed.reduce((end, record) => Math.max(end, endOf(record) - (begun ?? 0)), 0);
  const total = Math.max(running ? elapsed : finished, 1);
  return (
    <Section title={title} aside={<span className="regular remark">{formatDuration(total)}</span>}>
      <ol className="stack plain-list">
        {passed.map((record) => {
          const offset = (record.started ?? 0) - (begun ?? 0);
          const length = record.duration ?? Math.max(0, total - offset);
          return (
            <li key={`${record.phase}-${record.started}`} className={styles.phase}>
              <StatusGlyph phase={glyphPhase(record, record === failed)} />
              <span className="ellipsis">{phaseLabel(record.phase)}</span>
              <span className={styles.phaseTrack} aria-hidden="true">
                <span
                  className={classes(styles.phaseBar, record.duration === null && styles.running)}
                  style={{
                    left: `${Math.min(99, (offset / total) * 100)}%`,
                    width: `max(3px, ${Math.min(100, (length / total) * 100)}%)`,
                  }}
                />
              </span>
              <span className="mono text-right remark">{formatDuration(length)}</span>
              <Detail server={server} record={record} hasFailed={record === failed} />
            </li>
          );
        })}
      </ol>
    </Section>
  );
}

interface DetailProps {
  server: ServerView;
  record: PhaseRecord;
  hasFailed: boolean;
}

/** The messages of a phase, remarks on it, and the time that it may still take. */
function Detail({ server, record, hasFailed }: DetailProps) {
  const texts = [
    record.detail,
    record.duration === null && isUnderWay(record.phase) ? limitText(server, record.phase) : null,
  ];
  return (
    <span className={styles.phaseDetail}>
      {hasFailed && <span className="medium bad">{phaseLabel('failed')} </span>}
      {record.exchanged.map(({ method, count }) => (
        <PlainButton
          key={method}
          className={classes(styles.method, 'mono')}
          onPress={() => showTraffic(`server:${server.name} method:${method}`)}
        >
          {visibleText(PHASES.method(method, count))}
        </PlainButton>
      ))}
      {visibleText(texts.filter(Boolean).join(' · '))}
    </span>
  );
}

function limitText(server: ServerView, phase: Phase): string | null {
  const limit =
    server.limits.find((limit) => limit.phase === phase) ??
    server.limits.find((limit) => limit.phase === null);
  return limit ? PHASES.limit(limit.limit ?? 0, LIMITS.source(limit.setBy)) : null;
}

/** The way up to ready, once for each session; being ready is not part of it. */
function startsOf(timeline: readonly PhaseRecord[]): PhaseRecord[][] {
  const starts: PhaseRecord[][] = [];
  let wasLive = false;
  for (const record of timeline) {
    const live = isLive(record.phase);
    if (!live) {
      const begins = wasLive && record.phase === 'connecting';
      if (begins || starts.length === 0) starts.push([]);
      starts.at(-1)?.push(record);
    }
    wasLive = live;
  }
  return starts;
}

/**
 * The phase in which the attempt failed; to clean up after it is not what failed. A connection
 * that was up failed in none of them.
 */
function failedRecord({ phase, timeline }: ConnectionStatus): PhaseRecord | undefined {
  if (phase !== 'failed') return undefined;
  const last = timeline.findLast(
    (record) => record.phase !== 'cleaningUp' && record.phase !== 'failed',
  );
  return last && isLive(last.phase) ? undefined : last;
}

function glyphPhase(record: PhaseRecord, hasFailed: boolean): Phase {
  if (hasFailed) return 'failed';
  return record.duration === null ? record.phase : 'ready';
}

function endOf(record: PhaseRecord): number {
  return (record.started ?? 0) + (record.duration ?? 0);
}
