import { useBackend } from '@/backend/backend';
import type { ScopeFileView } from '@/backend/bindings';
import { Button } from '@/components/Button';
import { Facts, Section } from '@/components/Section';
import { listOf } from '@/lib/format';
import { visibleText } from '@/lib/visible-text';
import { showError } from '@/state/notices';
import { readersOf, useConfiguration } from '@/state/setup/configuration';
import { editConfig } from '@/state/setup/setup-view';
import { canRepair, RepairFile } from '@/widgets/failure/RepairFile';
import { ProblemList } from '@/widgets/ProblemList';
import styles from './servers.module.css';
import { BROKEN_FILE } from './texts';

/** The problems of a file that could not be read at all, with their places. */
export function BrokenFile({ file }: { file: ScopeFileView }) {
  const backend = useBackend();
  const [first] = file.problems;
  const view = useConfiguration((state) => state.view);
  const isOwn = file.target.client === 'mcp-json';
  const readers = [
    isOwn ? BROKEN_FILE.sightglass : file.clientTitle,
    ...readersOf(view, file.path).map(({ title }) => title),
  ].filter((title, index, all) => all.indexOf(title) === index);
  const open = (place: { line: number; column: number }) =>
    editConfig({ target: file.target, name: null, place });
  return (
    <div className="h-full scroll">
      <header className={styles.head}>
        <h1>{file.label}</h1>
        <p>{BROKEN_FILE.lead}</p>
      </header>
      <Section
        title={BROKEN_FILE.problems}
        aside={
          <span className="flex wrap gap-4">
            <Button onPress={() => void backend.revealPath(file.path).catch(showError)}>
              {BROKEN_FILE.showInFileManager}
            </Button>
            <RepairFile file={file} variant="primary" />
            {first && (
              <Button
                variant={canRepair(file.problems) ? 'plain' : 'primary'}
                onPress={() => open(first)}
              >
                {BROKEN_FILE.openAt(first.line)}
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
      <Section title={BROKEN_FILE.file}>
        <Facts
          facts={[
            [BROKEN_FILE.client, listOf(readers)],
            [BROKEN_FILE.scope, file.title],
            [BROKEN_FILE.path, <code key="path">{file.path}</code>],
          ]}
        />
        {file.unreadable === null && <p className={styles.remark}>{BROKEN_FILE.correct}</p>}
      </Section>
    </div>
  );
}
