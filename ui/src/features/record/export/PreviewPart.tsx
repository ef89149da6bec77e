import type { ExportFormat, ExportPreview, MaskedPlace } from '@/backend/bindings';
import { visibleText } from '@/lib/visible-text';
import { useSnapshot } from '@/state/snapshot';
import { EXPORT, FORMATS } from './texts';
import styles from './traffic-export.module.css';

/** Progress of an export that is being read. */
export function Reading({ run }: { run: number | null }) {
  const progress = useSnapshot((state) => state.exported);
  if (run === null) return null;
  const { done, of } = progress?.run === run ? progress : { done: 0, of: 0 };
  return (
    <div className={styles.reading}>
      <progress aria-label={EXPORT.progress} value={of > 0 ? done : undefined} max={of || 1} />
      <span role="status">{EXPORT.reading(done, of)}</span>
    </div>
  );
}

interface PreviewPartProps {
  preview: ExportPreview;
  format: ExportFormat;
}

/** Content of the file before it is written: its size, what is left out and masked, its beginning. */
export function PreviewPart({ preview, format }: PreviewPartProps) {
  const items = FORMATS.find(({ value }) => value === format)?.items(preview.items) ?? '';
  return (
    <>
      <p role="status" className="break-anywhere remark">
        {preview.items === 0
          ? EXPORT.nothing
          : EXPORT.summary(items, preview.rows, preview.size ?? 0)}
      </p>
      {preview.leftOut.map((remark) => (
        <p key={remark} className="warn">
          <span aria-hidden="true">▲ </span>
          {remark}
        </p>
      ))}
      <section aria-label={EXPORT.masked} className={styles.masked}>
        <Places title={EXPORT.maskedBefore} places={preview.maskedBefore} />
        <Places title={EXPORT.maskedNow} places={preview.maskedNow} />
      </section>
      {preview.items > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region has to be reachable.
        <section className={styles.text} aria-label={EXPORT.beginning} tabIndex={0}>
          <pre className="mono">{preview.beginning.split('\n').map(visibleText).join('\n')}</pre>
        </section>
      )}
    </>
  );
}

/** Places in which something is masked, and how often. */
function Places({ title, places }: { title: string; places: readonly MaskedPlace[] }) {
  return (
    <div className={styles.places}>
      <h3>{title}</h3>
      {places.length === 0 ? (
        <p className="break-anywhere remark">{EXPORT.none}</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling list has to be reachable.
        <ul aria-label={title} tabIndex={0}>
          {places.map(({ place, count }) => (
            <li key={place}>
              <span className={styles.count}>{EXPORT.times(count)}</span>
              <span className="mono">{visibleText(place)}</span>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
