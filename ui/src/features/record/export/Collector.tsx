import { useState } from 'react';
import { useBackend } from '@/backend/backend';
import type { TrafficExport } from '@/backend/bindings';
import { asCommandError } from '@/backend/error';
import { Button } from '@/components/Button';
import { TextField } from '@/components/TextField';
import { useAsyncEffect } from '@/components/use-async-effect';
import { showError, showNote } from '@/state/notices';
import { nextRun } from '@/state/record/exports';
import { Reading } from './PreviewPart';
import { EXPORT } from './texts';
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
