import type { ExchangeDetail, FrameSummary } from '@/backend/bindings';
import { formatSize, formatTimestamp } from '@/lib/format';
import { durationOf } from '../rows/duration';
import { serverName } from '../rows/server-name';
import { useNow } from '../rows/use-now';
import { TIMING } from '../texts';
import styles from './exchange-pane.module.css';

/** The time, the duration and the size of an exchange. */
export function TimingPanel({ detail }: { detail: ExchangeDetail }) {
  const { row, frames, http } = detail;
  const isPending = row.outcome === 'pending';
  const { now, watch } = useNow();
  watch(isPending);
  const [first, ...others] = frames;
  const answer = others.at(-1);
  const isExchange = row.kind === 'request' || row.kind === 'http' || row.kind === 'oauth';
  const ready = http?.timeToHeaders ?? null;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keys
    <div className="fill pad-x-6 pad-y-4 scroll" tabIndex={0}>
      <dl className={styles.facts}>
        <dt>{isExchange ? TIMING.started : TIMING.at}</dt>
        <dd className="mono">{formatTimestamp(row.at ?? 0)}</dd>
        {answer && (
          <>
            <dt>{TIMING.answered}</dt>
            <dd className="mono">{formatTimestamp(answer.at ?? 0)}</dd>
          </>
        )}
        {ready !== null && (
          <>
            <dt>{TIMING.headersAfter}</dt>
            <dd className="mono">{durationOf({ ...row, outcome: 'ok', duration: ready }, now)}</dd>
          </>
        )}
        {isExchange && (
          <>
            <dt>{isPending ? TIMING.waitingFor : TIMING.duration}</dt>
            <dd className="mono">{durationOf(row, now)}</dd>
          </>
        )}
        {first && <Size title={answer ? TIMING.request : TIMING.size} frame={first} />}
        {answer && <Size title={TIMING.response} frame={answer} />}
        <dt>{TIMING.server}</dt>
        <dd>
          {serverName(row)} <span className="mono">{TIMING.connection(row.connection)}</span>
        </dd>
      </dl>
    </div>
  );
}

function Size({ title, frame }: { title: string; frame: FrameSummary }) {
  const bytes = frame.size ?? 0;
  return (
    <>
      <dt>{title}</dt>
      <dd>
        <span className="mono">{formatSize(bytes)}</span>
        {bytes >= 1024 && <span className="mono"> {TIMING.bytes(bytes)}</span>}
        {frame.redacted && TIMING.masked}
        {!frame.recorded && TIMING.unrecorded}
      </dd>
    </>
  );
}
