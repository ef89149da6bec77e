import type { HttpFacts } from '@/backend/bindings';
import { formatDuration } from '@/lib/format';
import styles from './exchange-pane.module.css';

/** The HTTP request that carried a message, with its headers. */
export function HttpPanel({ http }: { http: HttpFacts | null }) {
  if (!http) return <p className={styles.note}>Nothing is known of the HTTP request.</p>;
  const after = http.time_to_headers ?? null;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keys
    <div className={styles.scroll} tabIndex={0}>
      <dl className={styles.facts}>
        <dt>URL</dt>
        <dd className="mono">
          {http.method} {http.url}
        </dd>
        <dt>Status</dt>
        <dd className="mono">
          {http.status ?? (http.error ? 'no answer' : 'pending')}
          {after !== null && ` after ${formatDuration(after)}`}
        </dd>
        {http.error && (
          <>
            <dt>Error</dt>
            <dd className={styles.error}>{http.error}</dd>
          </>
        )}
      </dl>
      <Headers title="Request headers" headers={http.request_headers} />
      <Headers title="Response headers" headers={http.response_headers} />
    </div>
  );
}

interface HeadersProps {
  readonly title: string;
  readonly headers: readonly (readonly [string, string])[];
}

function Headers({ title, headers }: HeadersProps) {
  if (headers.length === 0) return null;
  return (
    <>
      <h4 className={styles.part}>{title}</h4>
      <table className={`${styles.headers} mono`}>
        <thead className="visually-hidden">
          <tr>
            <th scope="col">Name</th>
            <th scope="col">Value</th>
          </tr>
        </thead>
        <tbody>
          {headers.map(([name, value], index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a header may come several times
            <tr key={`${index} ${name}`}>
              <th scope="row">{name}</th>
              <td>{value}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}
