import { useState } from 'react';
import { useBackend } from '@/backend/backend';
import type { ServerView, TrustView } from '@/backend/bindings';
import { Button } from '@/components/Button';
import { Guarded } from '@/components/Guarded';
import { ProblemPanel } from '@/components/ProblemPanel';
import { Section } from '@/components/Section';
import { useAsyncEffect } from '@/components/use-async-effect';
import { entirelyVisible } from '@/lib/visible-text';
import { showError, showNote } from '@/state/notices';
import { useBusy } from '@/state/servers/attempt';
import { connect } from '@/state/servers/connecting';
import { useConfigCounts } from '@/state/setup/configuration';
import { ApprovalDetails, ApproveAllDialog, FolderTrust } from './ApproveAllDialog';
import { APPROVAL } from './texts';

/**
 * The effects of connecting to a project's server, and the button that allows it or takes that
 * back.
 */
export function ApprovalPanel({ server }: { server: ServerView }) {
  const trust = useTrust(server);
  const [reviewed, setReviewed] = useState<readonly TrustView[] | null>(null);
  if (!trust) return null;
  return (
    <>
      {trust.waiting ? (
        // Built anew for each entry, so that no key and no tick counts for another one.
        <Waiting key={trust.fingerprint} server={server} trust={trust} onReview={setReviewed} />
      ) : (
        <Approved server={server} trust={trust} />
      )}
      {reviewed && <ApproveAllDialog requests={reviewed} onClose={() => setReviewed(null)} />}
    </>
  );
}

interface ApprovedProps {
  server: ServerView;
  trust: TrustView;
}

function Approved({ server, trust }: ApprovedProps) {
  const backend = useBackend();
  const { isBusy, run } = useBusy();
  return (
    <Section
      title={APPROVAL.approvedTitle}
      aside={
        <Button
          isDisabled={isBusy}
          onPress={() =>
            void run(async () => {
              await backend.revokeApproval(server.id);
              showNote(APPROVAL.revoked(trust.name));
            })
          }
        >
          {APPROVAL.revoke}
        </Button>
      }
    >
      <p className="remark">{APPROVAL.approvedMeaning(entirelyVisible(trust.project))}</p>
    </Section>
  );
}

interface WaitingProps extends ApprovedProps {
  /** All requests of the project are to be reviewed. */
  onReview: (requests: readonly TrustView[]) => void;
}

/** One version of an entry that waits for approval. */
function Waiting({ server, trust, onReview }: WaitingProps) {
  const backend = useBackend();
  const { waiting } = useConfigCounts();
  const { isBusy, run } = useBusy();
  const [trustsFolder, setTrustsFolder] = useState(false);
  const review = () => void backend.listTrustRequests().then(onReview, showError);
  const approve = (connects: boolean) =>
    void run(async () => {
      await backend.approveServer(server.id, trust.fingerprint);
      if (trustsFolder) await backend.trustFolder();
      if (connects) connect(backend, server.id);
      showNote(APPROVAL.approved(trust.name, trust.project));
    });
  return (
    <ProblemPanel
      tone="warn"
      title={trust.changed ? APPROVAL.changed : APPROVAL.waiting}
      hint={APPROVAL.comesFrom(entirelyVisible(trust.project))}
      actions={
        <Guarded>
          <Button variant="primary" isDisabled={isBusy} onPress={() => approve(true)}>
            {APPROVAL.approveAndConnect}
          </Button>
          <Button isDisabled={isBusy} onPress={() => approve(false)}>
            {APPROVAL.approve}
          </Button>
          {waiting > 1 && (
            <Button isDisabled={isBusy} onPress={review}>
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
      start: () => backend.getTrustRequest(server.id),
      onValue: setTrust,
      onError: showError,
    }),
    [backend, server.id, server.summary, server.line, server.problems, server.blocked],
  );
  // That of the server that was selected before is none of this one.
  return trust?.server === server.id ? trust : null;
}
