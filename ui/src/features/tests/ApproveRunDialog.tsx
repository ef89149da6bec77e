import { useState } from 'react';
import { useBackend } from '@/backend/backend';
import type { RequestApproval } from '@/backend/bindings';
import { Button } from '@/components/Button';
import { Confirmed } from '@/components/Confirmed';
import { Dialog } from '@/components/Dialog';
import { Section } from '@/components/Section';
import { useAsyncEffect } from '@/components/use-async-effect';
import { entirelyVisible } from '@/lib/visible-text';
import { showError } from '@/state/notices';
import { type RunWish, startRequests, useRequestFiles } from '@/state/tests/request-files';
import { LaunchDetails } from '@/widgets/launch/LaunchDetails';
import { APPROVE_RUN } from './texts';

interface Asked {
  /** The run that they are of. */
  of: RunWish;
  approvals: readonly RequestApproval[];
  /** Number of times that some came. */
  changes: number;
}

/** Everything that a run would start and send and that is not approved, with one decision. */
export function ApproveRunDialog() {
  const backend = useBackend();
  const waiting = useRequestFiles((state) => state.waiting);
  const wait = useRequestFiles((state) => state.wait);
  const [asked, setAsked] = useState<Asked | null>(null);
  useAsyncEffect(
    () =>
      waiting === null
        ? null
        : {
            start: () => backend.listRequestApprovals(waiting.selection),
            onValue: (approvals) =>
              setAsked((before) => ({
                of: waiting,
                approvals,
                changes: (before?.changes ?? 0) + 1,
              })),
            onError: showError,
          },
    [backend, waiting],
  );
  if (waiting === null) return null;
  // Those of an earlier run are nothing that is agreed to for this one.
  const approvals = asked?.of === waiting ? asked.approvals : null;
  const close = () => {
    // Another run may wait by now.
    if (useRequestFiles.getState().waiting === waiting) wait(null);
  };
  const run = async (approves: boolean) => {
    try {
      if (approves) {
        if (approvals === null) return;
        const decisions = approvals.map(({ server, fingerprint }) => ({ server, fingerprint }));
        await backend.approveRequests(waiting.selection, decisions);
      }
      close();
      await startRequests(backend, waiting);
    } catch (reason) {
      showError(reason);
    }
  };
  return (
    <Dialog
      title={APPROVE_RUN.title}
      isOpen
      width="wide"
      changes={asked?.changes ?? 0}
      onClose={close}
      more={<Button onPress={() => void run(false)}>{APPROVE_RUN.runOthers}</Button>}
      action={{
        label: APPROVE_RUN.approve,
        isDisabled: approvals === null,
        run: () => void run(true),
      }}
    >
      <div className="stack gap-6">
        <p className="break-anywhere text-data remark">{APPROVE_RUN.meaning}</p>
        {approvals?.map((approval) => (
          <Section key={approval.fingerprint} title={entirelyVisible(approval.title)}>
            <LaunchDetails
              launch={approval}
              facts={[
                [
                  APPROVE_RUN.sends,
                  approval.values.length > 0 ? (
                    <Confirmed key="values" text={approval.values.join('\n')} isLines />
                  ) : null,
                ],
                [
                  APPROVE_RUN.files,
                  APPROVE_RUN.fileCount(
                    approval.files.length,
                    entirelyVisible(approval.files[0] ?? ''),
                  ),
                ],
              ]}
            />
          </Section>
        ))}
      </div>
    </Dialog>
  );
}
