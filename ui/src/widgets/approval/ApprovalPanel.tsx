import { useState } from 'react';
import { useBackend } from '@/backend/backend';
import type { ServerView, TrustView } from '@/backend/bindings';
import { Button } from '@/components/Button';
import { Guarded } from '@/components/Guarded';
import { ProblemPanel } from '@/components/ProblemPanel';
import { Section } from '@/components/Section';
import { useAsyncEffect } from '@/components/use-async-effect';
import { entirelyVisible } from '@/lib/visible-text';
import { useConfigCounts } from '@/state/configuration';
import { connect } from '@/state/connecting';
import { showError, showNote } from '@/state/notices';
import { ApprovalDetails } from './ApprovalDetails';
import { ApproveAllDialog } from './ApproveAllDialog';
import styles from './approval.module.css';
import { FolderTrust } from './FolderTrust';
import { APPROVAL } from './texts';

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
    change(
      async () => {
        await backend.approveServer(server.id, fingerprint);
        if (trustsFolder) await backend.trustFolder();
        if (connects) connect(backend, server.id);
      },
      APPROVAL.approved(name, project),
    );
  if (!trust.waiting) {
    return (
      <Section
        title={APPROVAL.approvedTitle}
        aside={
          <Button
            isDisabled={isBusy}
            onPress={() =>
              void change(() => backend.revokeApproval(server.id), APPROVAL.revoked(trust.name))
            }
          >
            {APPROVAL.revoke}
          </Button>
        }
      >
        <p className={styles.remark}>{APPROVAL.approvedMeaning(entirelyVisible(trust.project))}</p>
      </Section>
    );
  }
  return (
    <ProblemPanel
      tone="warn"
      title={trust.changed ? APPROVAL.changed : APPROVAL.waiting}
      hint={APPROVAL.comesFrom(entirelyVisible(trust.project))}
      actions={
        <Guarded>
          <Button variant="primary" isDisabled={isBusy} onPress={() => void approve(trust, true)}>
            {APPROVAL.approveAndConnect}
          </Button>
          <Button isDisabled={isBusy} onPress={() => void approve(trust, false)}>
            {APPROVAL.approve}
          </Button>
          {waiting > 1 && (
            <Button isDisabled={isBusy} onPress={() => void review()}>
              {APPROVAL.reviewAll(waiting)}
            </Button>
          )}
        </Guarded>
      }
    >
      <ApprovalDetails trust={trust} />
      {trust.kind === 'program' && (
        <FolderTrust isSelected={trustsFolder} onChange={setTrustsFolder} />
      )}
      {reviewed && <ApproveAllDialog requests={reviewed} onClose={() => setReviewed(null)} />}
    </ProblemPanel>
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
