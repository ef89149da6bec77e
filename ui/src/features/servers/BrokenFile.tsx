import { useBackend } from '@/backend/backend';
import type { ScopeFileView } from '@/backend/bindings';
import { Button } from '@/components/Button';
import { Facts, Section } from '@/components/Section';
import { visibleText } from '@/lib/visible-text';
import { editConfig } from '@/state/config-view';
import { showError } from '@/state/notices';
import { ProblemList } from '@/widgets/ProblemList';
import styles from './servers.module.css';

/** The problems of a file that could not be read at all, with their places. */
export function BrokenFile({ file }: { file: ScopeFileView }) {
  const backend = useBackend();
  const [first] = file.problems;
  const open = (place: { line: number; column: number }) =>
    editConfig({ target: { client: 'mcp-json', scope: file.scope }, name: null, place });
  return (
    <div className={styles.page}>
      <header className={styles.head}>
        <h1>{file.label}</h1>
        <p>
          This file could not be read, so none of its servers are listed. The other files still
          count.
        </p>
      </header>
      <Section
        title="What is wrong"
        aside={
          <span className={styles.actions}>
            <Button onPress={() => void backend.revealPath(file.path).catch(showError)}>
              Show in file manager
            </Button>
            {first && (
              <Button variant="primary" onPress={() => open(first)}>
                Open at line {first.line}
              </Button>
            )}
          </span>
        }
      >
        {file.unreadable !== null && (
          <p className={styles.remark}>{visibleText(file.unreadable)}</p>
        )}
        <ProblemList problems={file.problems} onOpen={open} />
      </Section>
      <Section title="File">
        <Facts
          facts={[
            ['Scope', file.title],
            ['Path', <code key="path">{file.path}</code>],
          ]}
        />
        {file.unreadable === null && (
          <p className={styles.remark}>
            Correct it here or in an editor of your own; it is read again when it is saved.
          </p>
        )}
      </Section>
    </div>
  );
}
