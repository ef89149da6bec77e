import { useBackend } from '@/backend/backend';
import type { Clause } from '@/backend/bindings';
import { showError } from '@/state/notices';
import styles from './auth.module.css';

/** A link to a clause; opens in the browser. */
export function ClauseLink({ clause }: { clause: Clause }) {
  const backend = useBackend();
  return (
    <a
      href={clause.url}
      className={styles.clause}
      onClick={(event) => {
        event.preventDefault();
        backend.openAddress(clause.url).catch(showError);
      }}
    >
      {clause.title}
    </a>
  );
}
