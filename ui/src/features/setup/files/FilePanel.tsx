import { useBackend } from '@/backend/backend';
import type { ConfigFileView, Target } from '@/backend/bindings';
import { Button } from '@/components/Button';
import { Problem } from '@/components/Problem';
import { Facts, Section } from '@/components/Section';
import { formatSize } from '@/lib/format';
import { useDialogs } from '@/state/dialogs';
import { showError } from '@/state/notices';
import { clientOf, fileOf, fileTitle, useConfiguration } from '@/state/setup/configuration';
import { editConfig } from '@/state/setup/setup-view';
import { ProblemList } from '@/widgets/ProblemList';
import { useAnswer } from '@/widgets/use-answer';
import styles from './files.module.css';
import { BACKUPS, FILE, priority } from './texts';

/** A file: what it is for, what is wrong with it, and what it was before. */
export function FilePanel({ target }: { target: Target }) {
  const backend = useBackend();
  const view = useConfiguration((state) => state.view);
  const show = useDialogs((state) => state.show);
  const file = fileOf(view, target);
  const client = clientOf(view, target.client);
  if (!file || !client) return null;
  const open = (place: { line: number; column: number } | null) =>
    editConfig({ target, name: null, place });
  const [first] = file.problems;
  return (
    <article className="h-full scroll" aria-label={fileTitle(view, target)}>
      <header className={styles.head}>
        <h2 className="text-title">{fileTitle(view, target)}</h2>
        <span className={styles.state} data-state={file.state}>
          {FILE.states[file.state]}
        </span>
        <span className="flex-1" />
        {file.state === 'broken' && first ? (
          <Button variant="primary" onPress={() => open(first)}>
            {FILE.openAt(first.line)}
          </Button>
        ) : (
          <Button onPress={() => open(null)}>
            {file.state === 'missing' ? FILE.write : FILE.openText}
          </Button>
        )}
        {file.writable && file.state !== 'broken' && (
          <Button onPress={() => show({ kind: 'add-server', target })}>{FILE.add}</Button>
        )}
      </header>
      {(file.problems.length > 0 || file.unreadable !== null) && (
        <Section title={FILE.problems}>
          {file.state === 'broken' && <p className="remark">{FILE.broken}</p>}
          {file.unreadable !== null && <p className="remark">{file.unreadable}</p>}
          <ProblemList problems={file.problems} onOpen={open} />
        </Section>
      )}
      <Section title={FILE.title}>
        <p>{file.note}</p>
        <Facts
          facts={[
            [FILE.path, <code key="path">{file.path}</code>],
            [FILE.servers, file.state === 'loaded' ? `${file.servers}` : null],
            [FILE.section, <code key="section">{file.section}</code>],
            [
              FILE.priority,
              priority(client.files.length - file.precedence + 1, client.files.length),
            ],
            [FILE.writer, writerText(file)],
            [FILE.permissions, file.mode && <code key="mode">{file.mode}</code>],
            [
              FILE.versionControl,
              file.state === 'missing' ? null : file.tracked ? FILE.tracked : FILE.untracked,
            ],
            [
              FILE.changedOutside,
              file.changedOutside === null
                ? null
                : new Date(file.changedOutside).toLocaleTimeString(),
            ],
          ]}
        />
        {file.state !== 'missing' && (
          <div>
            <Button onPress={() => void backend.revealPath(file.path).catch(showError)}>
              {FILE.reveal}
            </Button>
          </div>
        )}
      </Section>
      <Backups path={file.path} />
    </article>
  );
}

function writerText({ writer, writable }: ConfigFileView): string {
  const who = FILE.writers[writer];
  return writable ? who : FILE.readOnly(who);
}

/** The versions of the file before each change, newest first. */
function Backups({ path }: { path: string }) {
  const backend = useBackend();
  const revision = useConfiguration((state) => state.view.revision);
  const { value, problem } = useAnswer(
    () => backend.listConfigurationBackups(),
    [backend, revision],
  );
  const backups = (value ?? []).filter((backup) => backup.path === path);
  const show = useDialogs((state) => state.show);
  return (
    <Section title={BACKUPS.title}>
      <Problem text={problem} />
      {backups.length === 0 ? (
        <p className="remark">{BACKUPS.none}</p>
      ) : (
        <ul className="plain-list">
          {backups.map((backup) => (
            <li key={backup.id} className={styles.backup}>
              <time dateTime={new Date(backup.taken).toISOString()}>
                {new Date(backup.taken).toLocaleString()}
              </time>
              <span className="remark">{formatSize(backup.size)}</span>
              <Button
                onPress={() =>
                  show({ kind: 'config-change', action: { type: 'restore', backup: backup.id } })
                }
              >
                {BACKUPS.restore}
              </Button>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}
