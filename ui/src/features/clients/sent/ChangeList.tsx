import type { SchemaChange } from '@/backend/bindings';
import { CodeText } from '@/components/CodeText';
import { visibleText } from '@/lib/visible-text';
import { cellText } from '../cells';
import styles from '../clients.module.css';
import { SourceText } from '../SourceText';
import { StatusMark } from '../StatusMark';
import { CHANGES } from '../texts';

/** Changes that are drawn; a hostile schema could have thousands. */
const MAX_CHANGES = 200;

/** Changes, each with its place, its reason and its source. */
export function ChangeList({ changes }: { changes: readonly SchemaChange[] }) {
  return (
    <ul className={styles.lines}>
      {changes.slice(0, MAX_CHANGES).map(({ kind, path, reason, source }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the changes of one tool never move
        <li key={index} className={styles.change}>
          <StatusMark status={CHANGES[kind]} />
          <div className={styles.changeText}>
            {path !== '' && (
              <code className="break-anywhere selectable text-small remark">{cellText(path)}</code>
            )}
            <span>
              <CodeText text={visibleText(reason)} />
            </span>
            <span className="break-anywhere selectable text-small remark">
              <SourceText text={source} />
            </span>
          </div>
        </li>
      ))}
    </ul>
  );
}
