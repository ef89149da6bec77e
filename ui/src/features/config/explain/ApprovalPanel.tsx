import { useEffect, useState } from 'react';
import { useBackend } from '@/backend/backend';
import type { NamedText, ServerView, TrustView } from '@/backend/bindings';
import { Button } from '@/components/button';
import { Facts, Section } from '@/components/section';
import { showError, showNote } from '@/components/toast';
import styles from './explain.module.css';
import { FolderTrust } from './FolderTrust';

/**
 * Everything that a project's server is started with, and the button that allows it or takes that
 * back.
 */
export function ApprovalPanel({ server }: { server: ServerView }) {
  const backend = useBackend();
  const trust = useTrust(server);
  const [isBusy, setBusy] = useState(false);
  const [trustsFolder, setTrustsFolder] = useState(false);
  if (!trust) return null;

  const change = async (run: () => Promise<unknown>, done: string) => {
    setBusy(true);
    try {
      await run();
      showNote(done);
    } catch (reason) {
      showError(reason);
    } finally {
      setBusy(false);
    }
  };
  if (!trust.waiting) {
    return (
      <Section
        title="Approved"
        aside={
          <Button
            isDisabled={isBusy}
            onPress={() =>
              void change(
                () => backend.revokeApproval(server.id),
                `${server.name} waits for approval again`,
              )
            }
          >
            Revoke approval
          </Button>
        }
      >
        <p className={styles.remark}>
          Its file belongs to the project. The entry as it is now is approved for {trust.project}; a
          changed one asks again.
        </p>
      </Section>
    );
  }
  const isRemote = trust.url !== null;
  return (
    <Section
      title={trust.changed ? 'Changed since you approved it' : 'Waiting for your approval'}
      aside={
        <Button
          variant="primary"
          isDisabled={isBusy}
          onPress={() =>
            void change(async () => {
              await backend.approveServer(server.id, trust.fingerprint);
              if (trustsFolder) await backend.trustFolder();
            }, `Approved ${server.name} for ${trust.project}`)
          }
        >
          Approve
        </Button>
      }
    >
      <p className={styles.remark}>
        {isRemote
          ? 'This server came with the project. Connecting to it sends requests to this address.'
          : 'This server came with the project. Connecting to it runs this program as you.'}
      </p>
      <Facts
        facts={[
          [
            'Command',
            trust.command_line && (
              <code key="command" className={styles.full}>
                {trust.command_line}
              </code>
            ),
          ],
          ['URL', trust.url && <code key="url">{trust.url}</code>],
          ['Environment', isRemote ? null : <Named key="env" values={trust.environment} />],
          ['Headers', isRemote ? <Named key="headers" values={trust.headers} /> : null],
          [
            'Starts in',
            trust.working_directory && <code key="cwd">{trust.working_directory}</code>,
          ],
          [
            'Defined in',
            <code key="path">
              {trust.path}:{trust.line}
            </code>,
          ],
        ]}
      />
      {!isRemote && <FolderTrust isSelected={trustsFolder} onChange={setTrustsFolder} />}
    </Section>
  );
}

function Named({ values }: { values: readonly NamedText[] }) {
  if (values.length === 0) return 'Nothing beside your own';
  return (
    <ul className={styles.named}>
      {values.map(({ name, text }) => (
        <li key={name}>
          <code>
            {name}={text}
          </code>
        </li>
      ))}
    </ul>
  );
}

/** What a server would be started with; asked anew when its entry changes. */
function useTrust(server: ServerView): TrustView | null {
  const backend = useBackend();
  const [trust, setTrust] = useState<TrustView | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another view of it may be another entry.
  useEffect(() => {
    let isCurrent = true;
    backend
      .trustRequest(server.id)
      .then((found) => {
        if (isCurrent) setTrust(found);
      })
      .catch(showError);
    return () => {
      isCurrent = false;
    };
  }, [backend, server.id, server.summary, server.line, server.problems, server.blocked]);
  return trust;
}
