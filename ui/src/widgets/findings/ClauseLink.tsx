import { useBackend } from '@/backend/backend';
import type { Clause } from '@/backend/bindings';
import { visibleText } from '@/lib/visible-text';
import { showError } from '@/state/notices';
import styles from './findings.module.css';
import { LEVELS } from './texts';

/** A clause with its strength; opens in the browser where its address is known. */
export function ClauseLink({ clause: { title, url, level } }: { clause: Clause }) {
  const backend = useBackend();
  const words = `${level === null ? '' : `${LEVELS[level]}, `}${visibleText(title)}`;
  if (url === null) return <span className="faint text-small">{words}</span>;
  return (
    <a
      href={url}
      className={styles.clause}
      onClick={(event) => {
        event.preventDefault();
        backend.openAddress(url).catch(showError);
      }}
    >
      {words}
    </a>
  );
}
