import { useBackend } from '@/backend/backend';
import type { ScopeFileView } from '@/backend/bindings';
import { Button } from '@/components/button';
import { ProblemList } from '@/components/problem-list';
import { Facts, Section } from '@/components/section';
import { showError } from '@/components/toast';
import styles from './servers.module.css';

/** What is wrong with a file that could not be read at all, and where. */
export function BrokenFile({ file }: { file: ScopeFileView }) {
  const backend = useBackend();
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
          <Button onPress={() => void backend.revealPath(file.path).catch(showError)}>
            Show in file manager
          </Button>
        }
      >
        {file.unreadable !== null && <p className={styles.remark}>{file.unreadable}</p>}
        <ProblemList problems={file.problems} />
      </Section>
      <Section title="File">
        <Facts
          facts={[
            ['Scope', file.title],
            ['Path', <code key="path">{file.path}</code>],
          ]}
        />
        <p className={styles.remark}>Correct it in an editor; it is read again when you save it.</p>
      </Section>
    </div>
  );
}
