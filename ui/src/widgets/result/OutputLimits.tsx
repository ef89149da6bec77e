import { useState } from 'react';
import { useBackend } from '@/backend/backend';
import type { CallReport, ModelClientView } from '@/backend/bindings';
import { useAsyncEffect } from '@/components/use-async-effect';
import { useConfiguration } from '@/state/configuration';
import { exceededLimits, isLongForClients, tokensAbout } from './output-limits';
import styles from './result.module.css';
import { LIMITS } from './texts';

/** Says which clients would warn of a result, or cut it, for one that is long. */
export function OutputLimits({ report }: { report: CallReport }) {
  const backend = useBackend();
  const view = useConfiguration((state) => state.view);
  const [clients, setClients] = useState<readonly ModelClientView[]>([]);
  const tokens = tokensAbout(report);
  const isLong = isLongForClients(tokens);
  useAsyncEffect(() => {
    if (!isLong) return null;
    // The result is there without this remark too.
    return {
      start: () => backend.modelClients(),
      onValue: setClients,
      onError: () => setClients([]),
    };
  }, [backend, isLong]);
  const exceeded = isLong ? exceededLimits(tokens, clients, view) : [];
  if (exceeded.length === 0) return null;
  return (
    <p role="note" className={styles.limits}>
      <span aria-hidden="true">▲ </span>
      {LIMITS.about(tokens)} {exceeded.map(LIMITS.exceeded).join(' ')}
    </p>
  );
}
