import { useCallback, useEffect, useState } from 'react';
import { runAction } from '@/app/actions';
import { useBackend } from '@/backend/backend';
import type { ServerView } from '@/backend/bindings';
import { Button } from '@/components/button';
import { EmptyState } from '@/components/empty-state';
import { ProblemList } from '@/components/problem-list';
import { Facts, Section } from '@/components/section';
import { showError } from '@/components/toast';
import { useServers } from '@/state/servers';
import styles from './config.module.css';

/** Where a server is defined, how, and what its definition replaces. */
export default function ConfigTab({ server }: { server: ServerView }) {
  if (server.scope === null || server.path === null) {
    return (
      <EmptyState title="Built in">
        <p>
          This server is part of Sightglass; no file defines it. Any client can use it too, with
          this command:
        </p>
        <code className={styles.command}>{server.summary}</code>
      </EmptyState>
    );
  }
  return <FileEntry server={server} path={server.path} />;
}

function FileEntry({ server, path }: { server: ServerView; path: string }) {
  const backend = useBackend();
  const files = useServers((state) => state.files);
  const file = files.find((known) => known.scope === server.scope);
  return (
    <div className={styles.config}>
      {server.problems.length > 0 && (
        <Section title="Problems">
          <ProblemList problems={server.problems} />
        </Section>
      )}
      <Section
        title="Entry"
        aside={
          <span className={styles.buttons}>
            <Button onPress={() => runAction('server.edit')}>Edit</Button>
            <Button variant="danger" onPress={() => runAction('server.remove')}>
              Remove
            </Button>
          </span>
        }
      >
        <EntryText server={server} />
        <Facts
          facts={[
            ['Scope', file?.title],
            [
              'File',
              <code key="path">
                {path}
                {server.line !== null && `:${server.line}`}
              </code>,
            ],
            ['Speaks', ERAS[server.era]],
            ['Used by clients', server.disabled ? 'No, the entry is disabled' : 'Yes'],
          ]}
        />
        <div>
          <Button onPress={() => void backend.revealPath(path).catch(showError)}>
            Show in file manager
          </Button>
        </div>
      </Section>
      <Section title="Shadowed definitions">
        {server.shadowed.length === 0 ? (
          <p className={styles.remark}>No other file defines {server.name}.</p>
        ) : (
          <>
            <p>The entry above replaces these whole; they do not count.</p>
            <ul className={styles.shadowed}>
              {server.shadowed.map((shadowed) => (
                <li key={shadowed.path}>
                  <code>{shadowed.path}</code>
                </li>
              ))}
            </ul>
          </>
        )}
      </Section>
    </div>
  );
}

const ERAS = {
  auto: 'Whatever the server does (auto)',
  modern: 'The stateless protocol only (modern)',
  legacy: 'The initialize handshake only (legacy)',
};

/** The entry as the file has it; values that look like secrets only on request. */
function EntryText({ server }: { server: ServerView }) {
  const backend = useBackend();
  const [text, setText] = useState<string | null>(null);
  const [revealed, setRevealed] = useState(false);
  const load = useCallback(
    (reveal: boolean) => {
      const entry = reveal ? backend.revealServerEntry(server.id) : backend.serverEntry(server.id);
      entry.then(setText).catch(showError);
    },
    [backend, server.id],
  );
  // A new view of the server means that its file may say something else now.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  useEffect(() => load(revealed), [load, revealed, server.line, server.path, server.summary]);

  if (text === null) return <pre className={styles.entry} />;
  const hidesSomething = text.includes('•••');
  return (
    <>
      <pre className={styles.entry}>{text}</pre>
      {(hidesSomething || revealed) && (
        <div>
          <Button onPress={() => setRevealed(!revealed)}>
            {revealed ? 'Hide secrets' : 'Reveal secrets'}
          </Button>
        </div>
      )}
    </>
  );
}
