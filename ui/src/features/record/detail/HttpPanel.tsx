import type { HttpFacts } from '@/backend/bindings';
import { Pairs } from '@/components/pairs/Pairs';
import { visibleText } from '@/lib/visible-text';
import { HTTP } from '../texts';
import styles from './exchange-pane.module.css';

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
