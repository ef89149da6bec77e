import { useEffect, useState } from 'react';
import { runAction } from '@/app/actions';
import { useBackend } from '@/backend/backend';
import type { NamedText, ServerView } from '@/backend/bindings';
import { Button } from '@/components/button';
import { EmptyState } from '@/components/empty-state';
import { Facts, Section } from '@/components/section';
import styles from './auth.module.css';

/** How requests to this server are authorized, and what the server said about it. */
export default function AuthTab({ server }: { server: ServerView }) {
  if (server.transport === 'stdio') {
    return (
      <EmptyState title="Nothing to sign in to">
        <p>
          This server is a program on this computer, so there is no sign-in. What it needs to reach
          other services comes from its environment.
        </p>
      </EmptyState>
    );
  }
  return <HttpAuth server={server} />;
}

function HttpAuth({ server }: { server: ServerView }) {
  const header = useAuthorizationHeader(server);
  const failure = server.status.failure?.failure;
  const refused = failure?.kind === 'sign_in_required' ? failure : null;
  return (
    <div className={styles.auth}>
      <Section
        title="Authorization"
        aside={
          <Button variant={refused ? 'primary' : 'plain'} onPress={() => runAction('server.edit')}>
            Edit headers
          </Button>
        }
      >
        <Facts
          facts={[
            ['Address', <code key="url">{server.summary}</code>],
            ['Authorization', headerWords(header)],
          ]}
        />
      </Section>
      {refused && (
        <Section title="What the server asked for">
          <Facts
            facts={[
              ['Status', <code key="status">HTTP {refused.status}</code>],
              [
                'Challenge',
                refused.challenge ? (
                  <pre key="challenge" className={styles.challenge}>
                    {refused.challenge}
                  </pre>
                ) : (
                  'The answer had no WWW-Authenticate header'
                ),
              ],
            ]}
          />
        </Section>
      )}
      <Section title="Use a token">
        <p>
          Add a header to this server. A variable keeps the token itself out of the file; it is read
          from the environment that Sightglass was started in.
        </p>
        <pre className={styles.example}>{'Authorization: Bearer ${MY_TOKEN}'}</pre>
        <p className={styles.remark}>
          The value never reaches the record: the traffic shows it masked.
        </p>
      </Section>
    </div>
  );
}

type Header = NamedText | null | 'unknown';

function headerWords(header: Header): string {
  if (header === 'unknown') return '';
  if (header === null) return 'No Authorization header is configured';
  const scheme = header.text.split(' ')[0] ?? '';
  const variable = /\$\{(\w+)/.exec(header.text)?.[1];
  return variable ? `${scheme}, from the variable ${variable}` : `${scheme}, written in the file`;
}

/** The Authorization header of the entry, if it has one. */
function useAuthorizationHeader(server: ServerView): Header {
  const backend = useBackend();
  const [header, setHeader] = useState<Header>('unknown');
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new view means the file changed
  useEffect(() => {
    let isCurrent = true;
    backend
      .serverDraft(server.id)
      .then(({ endpoint }) => {
        const headers = endpoint.kind === 'remote' ? endpoint.headers : [];
        const found = headers.find(({ name }) => name.toLowerCase() === 'authorization');
        if (isCurrent) setHeader(found ?? null);
      })
      // An entry that cannot be read says so on the Config tab.
      .catch(() => {
        if (isCurrent) setHeader('unknown');
      });
    return () => {
      isCurrent = false;
    };
  }, [backend, server.id, server.line, server.path, server.summary]);
  return header;
}
