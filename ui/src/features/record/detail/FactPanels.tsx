import type { ExchangeDetail, FrameSummary, HttpFacts } from '@/backend/bindings';
import { Pairs } from '@/components/pairs/Pairs';
import { formatSize, formatTimestamp } from '@/lib/format';
import { visibleText } from '@/lib/visible-text';
import { durationOf, serverName } from '../rows/row-words';
import { useNow } from '../rows/waterfall';
import { HTTP, TIMING } from '../texts';
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

/** The HTTP request that carried a message, with its headers. */
export function HttpPanel({ http }: { http: HttpFacts | null }) {
  if (!http) return <p className="pad-x-6 pad-y-5 remark">{HTTP.unknown}</p>;
  const after = http.timeToHeaders ?? null;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keys
    <div className="fill pad-x-6 pad-y-4 scroll" tabIndex={0}>
      <dl className={styles.facts}>
        <dt>{HTTP.url}</dt>
        <dd className="mono">{visibleText(`${http.method} ${http.url}`)}</dd>
        <dt>{HTTP.status}</dt>
        <dd className="mono">
          {http.status ?? (http.error ? HTTP.noAnswer : HTTP.pending)}
          {after !== null && HTTP.after(after)}
        </dd>
        {http.error && (
          <>
            <dt>{HTTP.error}</dt>
            <dd className="bad">{visibleText(http.error)}</dd>
          </>
        )}
      </dl>
      <div className={styles.headers}>
        {http.requestHeaders.length > 0 && (
          <Pairs label={HTTP.requestHeaders} pairs={http.requestHeaders} isTitled />
        )}
        {http.responseHeaders.length > 0 && (
          <Pairs label={HTTP.responseHeaders} pairs={http.responseHeaders} isTitled />
        )}
      </div>
    </div>
  );
}
