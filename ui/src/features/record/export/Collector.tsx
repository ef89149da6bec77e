import { useState } from 'react';
import { useBackend } from '@/backend/backend';
import type { ExportFormat, ExportPreview, MaskedPlace, TrafficExport } from '@/backend/bindings';
import { asCommandError } from '@/backend/error';
import { Button } from '@/components/Button';
import { TextField } from '@/components/TextField';
import { useAsyncEffect } from '@/components/use-async-effect';
import { visibleText } from '@/lib/visible-text';
import { showError, showNote } from '@/state/notices';
import { nextRun } from '@/state/record/exports';
import { useSnapshot } from '@/state/snapshot';
import { EXPORT, FORMATS } from './texts';
import styles from './traffic-export.module.css';

/** Milliseconds for which the typing has to rest before an address is looked at. */
const TYPING_DELAY = 150;

/** Sends spans to a collector, once the user has seen the address and pressed the button. */
export function Collector({ exported }: { exported: TrafficExport | null }) {
  const backend = useBackend();
  const [endpoint, setEndpoint] = useState('');
  const [header, setHeader] = useState('');
  const [value, setValue] = useState('');
  const [run, setRun] = useState<number | null>(null);
  const { address, problem } = useAddress(endpoint);
  const send = async () => {
    if (!exported || address === null) return;
    const number = nextRun();
    setRun(number);
    try {
      const headers = header.trim() === '' ? [] : [{ name: header, value }];
      const sent = await backend.sendSpans(exported, address, headers, number);
      showNote(EXPORT.sent(sent.spans, sent.address));
      if (sent.rejected > 0) {
        showError({
          code: 'system',
          message: EXPORT.rejected(sent.rejected, sent.reason),
          hint: null,
        });
      }
    } catch (reason) {
      showError(reason);
    } finally {
      setRun(null);
    }
  };
  return (
    <section aria-label={EXPORT.collector} className={styles.collector}>
      <TextField
        label={EXPORT.endpoint}
        description={EXPORT.endpointHint}
        error={problem ?? undefined}
        mono
        value={endpoint}
        onChange={setEndpoint}
      />
      <div className={styles.row}>
        <TextField
          label={EXPORT.header}
          description={EXPORT.headerHint}
          className={styles.choice}
          mono
          value={header}
          onChange={setHeader}
        />
        <TextField
          label={EXPORT.headerValue}
          className={styles.choice}
          type="password"
          autoComplete="off"
          isDisabled={header.trim() === ''}
          value={value}
          onChange={setValue}
        />
      </div>
      <Reading run={run} />
      <div className="row gap-6">
        <Button
          isDisabled={!exported || address === null || run !== null}
          onPress={() => void send()}
        >
          {EXPORT.send}
        </Button>
        {address !== null && (
          <span className="break-anywhere remark">{EXPORT.sendsTo(address)}</span>
        )}
      </div>
    </section>
  );
}

/** Returns the address that spans are sent to, or the reason why they are not. */
function useAddress(endpoint: string) {
  const backend = useBackend();
  const [found, setFound] = useState<{ address: string | null; problem: string | null }>({
    address: null,
    problem: null,
  });
  useAsyncEffect(() => {
    setFound({ address: null, problem: null });
    if (endpoint.trim() === '') return null;
    return {
      start: () => backend.getCollectorAddress(endpoint),
      onValue: (address) => setFound({ address, problem: null }),
      onError: (reason) => setFound({ address: null, problem: asCommandError(reason).message }),
      delay: TYPING_DELAY,
    };
  }, [backend, endpoint]);
  return found;
}

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

/** Content of the file before it is written: its size, what is left out and masked, its beginning. */
export function PreviewPart({ preview, format }: { preview: ExportPreview; format: ExportFormat }) {
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
