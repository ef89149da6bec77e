import type { LatencyBucket, LatencySummary, LoadReport } from '@/backend/bindings';
import { Facts, Section } from '@/components/Section';
import { formatCount, formatDuration } from '@/lib/format';
import { visibleLines, visibleText } from '@/lib/visible-text';
import styles from './checks.module.css';
import { barText, LOAD } from './texts';

/** The figures of a load run that has ended. */
export function LoadResult({ report }: { report: LoadReport }) {
  return (
    <>
      <Section title={LOAD.result}>
        <Facts
          facts={[
            [LOAD.succeeded, formatCount(report.succeeded)],
            [LOAD.failed, formatCount(report.failed)],
            [
              LOAD.notSent,
              report.notSent > 0 && `${formatCount(report.notSent)}. ${LOAD.notSentMeaning}`,
            ],
            [LOAD.throughput, report.throughput.toFixed(1)],
            [LOAD.took, formatDuration(report.duration)],
          ]}
        />
      </Section>
      <Section title={LOAD.latency}>
        <table className={styles.table} aria-label={LOAD.latency}>
          <thead>
            <tr>
              <th scope="col">{LOAD.since}</th>
              {LOAD.percentiles.map((name) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            <Percentiles name={LOAD.response} summary={report.response} />
            <Percentiles name={LOAD.service} summary={report.service} />
          </tbody>
        </table>
        <Histogram buckets={report.histogram} />
      </Section>
      {report.errors.length > 0 && (
        <Section title={LOAD.errors}>
          <ul className="plain-list m-0" aria-label={LOAD.errors}>
            {report.errors.map(({ kind, count, example }) => (
              <li key={kind}>
                <strong>{formatCount(count)}</strong> {visibleText(kind)}
                {example !== null && <pre className={styles.example}>{visibleLines(example)}</pre>}
              </li>
            ))}
          </ul>
        </Section>
      )}
    </>
  );
}

function Percentiles({ name, summary }: { name: string; summary: LatencySummary }) {
  const { p50, p90, p99, max } = summary;
  return (
    <tr>
      <th scope="row">{name}</th>
      <td>{formatDuration(p50)}</td>
      <td>{formatDuration(p90)}</td>
      <td>{formatDuration(p99)}</td>
      <td>{formatDuration(max)}</td>
    </tr>
  );
}

/** Response times, a row for each range with a bar as long as its calls are many. */
function Histogram({ buckets }: { buckets: readonly LatencyBucket[] }) {
  const most = Math.max(1, ...buckets.map(({ count }) => count));
  if (buckets.length === 0) return null;
  return (
    <table className={styles.histogram} aria-label={LOAD.histogram}>
      <thead>
        <tr>
          <th scope="col">{LOAD.range}</th>
          <th scope="col">{LOAD.count}</th>
          <td />
        </tr>
      </thead>
      <tbody>
        {buckets.map(({ from, to, count }) => (
          <tr key={from}>
            <th scope="row">
              {formatDuration(from)} – {formatDuration(to)}
            </th>
            <td>{formatCount(count)}</td>
            <td
              className={styles.barCell}
              title={barText(formatDuration(from), formatDuration(to), count)}
            >
              <svg className={styles.barDrawing} aria-hidden="true">
                <rect
                  className={styles.histogramBar}
                  width={`${(count / most) * 100}%`}
                  height="100%"
                />
              </svg>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
