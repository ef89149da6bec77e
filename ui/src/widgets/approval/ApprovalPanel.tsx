import { useState } from 'react';
import { useBackend } from '@/backend/backend';
import type { ServerView, TrustView } from '@/backend/bindings';
import { Button } from '@/components/Button';
import { Section } from '@/components/Section';
import { useAsyncEffect } from '@/components/use-async-effect';
import { useConfigCounts } from '@/state/configuration';
import { connect } from '@/state/connecting';
import { showError, showNote } from '@/state/notices';
import { ApprovalDetails } from './ApprovalDetails';
import { ApproveAllDialog } from './ApproveAllDialog';
import styles from './approval.module.css';
import { FolderTrust } from './FolderTrust';

/**
 * The effects of connecting to a project's server, and the button that allows it or takes that
 * back.
 */
export function ApprovalPanel({ server }: { server: ServerView }) {
  const backend = useBackend();
  const trust = useTrust(server);
  const { waiting } = useConfigCounts();
  const [isBusy, setBusy] = useState(false);
  const [trustsFolder, setTrustsFolder] = useState(false);
  const [reviewed, setReviewed] = useState<readonly TrustView[] | null>(null);
  if (!trust) return null;

  const review = async () => {
    try {
      setReviewed(await backend.trustRequests());
    } catch (reason) {
      showError(reason);
    }
  };

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
  const approve = ({ name, project, fingerprint }: TrustView, connects: boolean) =>
    change(async () => {
      await backend.approveServer(server.id, fingerprint);
      if (trustsFolder) await backend.trustFolder();
      if (connects) connect(backend, server.id);
    }, `Approved ${name} for ${project}`);
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
                `${trust.name} waits for approval again`,
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
  return (
    <Section
      title={trust.changed ? 'Changed since you approved it' : 'Waiting for your approval'}
      aside={
        <div className={styles.buttons}>
          {waiting > 1 && (
            <Button isDisabled={isBusy} onPress={() => void review()}>
              Review all {waiting}
            </Button>
          )}
          <Button isDisabled={isBusy} onPress={() => void approve(trust, false)}>
            Approve
          </Button>
          <Button variant="primary" isDisabled={isBusy} onPress={() => void approve(trust, true)}>
            Approve and connect
          </Button>
        </div>
      }
    >
      <p className={styles.remark}>This server came with the project {trust.project}.</p>
      <ApprovalDetails trust={trust} />
      {trust.kind === 'program' && (
        <FolderTrust isSelected={trustsFolder} onChange={setTrustsFolder} />
      )}
      {reviewed && <ApproveAllDialog requests={reviewed} onClose={() => setReviewed(null)} />}
    </Section>
  );
}

/** The launch plan of a server; asked anew when its entry changes. */
function useTrust(server: ServerView): TrustView | null {
  const backend = useBackend();
  const [trust, setTrust] = useState<TrustView | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another view of it may be another entry.
  useAsyncEffect(
    () => ({
      start: () => backend.trustRequest(server.id),
      onValue: setTrust,
      onError: showError,
    }),
    [backend, server.id, server.summary, server.line, server.problems, server.blocked],
  );
  return trust;
}
