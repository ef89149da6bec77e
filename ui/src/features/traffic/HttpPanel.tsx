import type { HttpFacts } from '@/backend/bindings';
import { Pairs } from '@/components/pairs/Pairs';
import { formatDuration } from '@/lib/format';
import { visibleText } from '@/lib/visible-text';
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
        <dd className="mono">{visibleText(`${http.method} ${http.url}`)}</dd>
        <dt>Status</dt>
        <dd className="mono">
          {http.status ?? (http.error ? 'no answer' : 'pending')}
          {after !== null && ` after ${formatDuration(after)}`}
        </dd>
        {http.error && (
          <>
            <dt>Error</dt>
            <dd className={styles.error}>{visibleText(http.error)}</dd>
          </>
        )}
      </dl>
      <div className={styles.headers}>
        {http.request_headers.length > 0 && (
          <Pairs label="Request headers" pairs={http.request_headers} isTitled />
        )}
        {http.response_headers.length > 0 && (
          <Pairs label="Response headers" pairs={http.response_headers} isTitled />
        )}
      </div>
    </div>
  );
}
