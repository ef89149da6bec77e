import type { LatencyBucket } from '@/backend/bindings';
import { formatCount, formatDuration } from '@/lib/format';
import styles from './checks.module.css';
import { barText, LOAD } from './texts';

/** Response times, a row for each range with a bar as long as its calls are many. */
export function Histogram({ buckets }: { buckets: readonly LatencyBucket[] }) {
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
