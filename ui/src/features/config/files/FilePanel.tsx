import { useState } from 'react';
import { useBackend } from '@/backend/backend';
import type { BackupView, ConfigFileView, Target, Writer } from '@/backend/bindings';
import { Button } from '@/components/Button';
import { Facts, Section } from '@/components/Section';
import { useAsyncEffect } from '@/components/use-async-effect';
import { formatSize } from '@/lib/format';
import { editConfig } from '@/state/config-view';
import { clientOf, fileOf, fileTitle, useConfiguration } from '@/state/configuration';
import { useDialogs } from '@/state/dialogs';
import { showError } from '@/state/notices';
import { ProblemList } from '@/widgets/ProblemList';
import styles from './files.module.css';

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
    <article className={styles.panel} aria-label={fileTitle(view, target)}>
      <header className={styles.head}>
        <h2 className={styles.title}>{fileTitle(view, target)}</h2>
        <span className={styles.state} data-state={file.state}>
          {STATES[file.state]}
        </span>
        <span className={styles.space} />
        {file.state === 'broken' && first ? (
          <Button variant="primary" onPress={() => open(first)}>
            Open at line {first.line}
          </Button>
        ) : (
          <Button onPress={() => open(null)}>
            {file.state === 'missing' ? 'Write it' : 'Open as text'}
          </Button>
        )}
        {file.writable && file.state !== 'broken' && (
          <Button onPress={() => show({ kind: 'add-server', target })}>Add server here</Button>
        )}
      </header>
      {(file.problems.length > 0 || file.unreadable !== null) && (
        <Section title="What is wrong">
          {file.state === 'broken' && (
            <p className={styles.remark}>
              None of its servers count until this is mended. The other files still do.
            </p>
          )}
          {file.unreadable !== null && <p className={styles.remark}>{file.unreadable}</p>}
          <ProblemList problems={file.problems} onOpen={open} />
        </Section>
      )}
      <Section title="File">
        <p>{file.note}</p>
        <Facts
          facts={[
            ['Path', <code key="path">{file.path}</code>],
            ['Servers', file.state === 'loaded' ? `${file.servers}` : null],
            ['Stand in', <code key="section">{file.section}</code>],
            ['Precedence', precedenceText(file, client.files.length)],
            ['Written by', writerText(file)],
            ['Permissions', file.mode && <code key="mode">{file.mode}</code>],
            [
              'Version control',
              file.state === 'missing'
                ? null
                : file.tracked
                  ? 'Tracked by git: shared'
                  : 'Not tracked',
            ],
            [
              'Changed outside',
              file.changed_outside === null
                ? null
                : new Date(file.changed_outside).toLocaleTimeString(),
            ],
          ]}
        />
        {file.state !== 'missing' && (
          <div>
            <Button onPress={() => void backend.revealPath(file.path).catch(showError)}>
              Show in file manager
            </Button>
          </div>
        )}
      </Section>
      <Backups path={file.path} />
    </article>
  );
}

const STATES = {
  missing: 'No file yet',
  loaded: 'Read',
  broken: '✕ Broken',
  unreadable: '✕ Unreadable',
};

function precedenceText({ precedence }: ConfigFileView, count: number): string {
  if (count === 1) return 'The only file of this client';
  if (precedence === count) return `Strongest of ${count}`;
  if (precedence === 1) return `Weakest of ${count}`;
  return `${count - precedence + 1} of ${count}, the strongest being 1`;
}

function writerText({ writer, writable }: ConfigFileView): string {
  const who = WRITERS[writer];
  return writable ? who : `${who}; Sightglass does not change it`;
}

const WRITERS: Record<Writer, string> = {
  user: 'You',
  project: 'Whoever works on the project',
  administrator: 'The administrator of this computer',
  program: 'The plugin that brings it',
};

/** The versions of the file before each change, newest first. */
function Backups({ path }: { path: string }) {
  const backups = useBackups(path);
  const show = useDialogs((state) => state.show);
  return (
    <Section title="Backups">
      {backups.length === 0 ? (
        <p className={styles.remark}>
          None yet. Before each change the file is kept as it was, and listed here.
        </p>
      ) : (
        <ul className={styles.backups}>
          {backups.map((backup) => (
            <li key={backup.id} className={styles.backup}>
              <time dateTime={new Date(backup.taken ?? 0).toISOString()}>
                {new Date(backup.taken ?? 0).toLocaleString()}
              </time>
              <span className={styles.remark}>{formatSize(backup.size ?? 0)}</span>
              <Button
                onPress={() =>
                  show({ kind: 'config-change', action: { kind: 'restore', backup: backup.id } })
                }
              >
                Compare and restore
              </Button>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}

function useBackups(path: string): readonly BackupView[] {
  const backend = useBackend();
  const revision = useConfiguration((state) => state.view.revision);
  const [backups, setBackups] = useState<readonly BackupView[]>([]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a change may have left another one.
  useAsyncEffect(
    () => ({
      start: () => backend.configurationBackups(),
      onValue: (found) => setBackups(found.filter((backup) => backup.path === path)),
      onError: showError,
    }),
    [backend, path, revision],
  );
  return backups;
}
