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
import { startRequests, useRequestFiles } from '@/state/request-files';
import { LaunchDetails } from '@/widgets/launch/LaunchDetails';
import styles from './requests.module.css';
import { APPROVE_RUN, REQUESTS } from './texts';

/** Everything that a run would start and send and that is not approved, with one decision. */
export function ApproveRunDialog() {
  const backend = useBackend();
  const waiting = useRequestFiles((state) => state.waiting);
  const wait = useRequestFiles((state) => state.wait);
  const [approvals, setApprovals] = useState<readonly RequestApproval[]>([]);
  useAsyncEffect(
    () =>
      waiting === null
        ? null
        : {
            start: () => backend.requestApprovals(waiting.selection),
            onValue: setApprovals,
            onError: showError,
          },
    [backend, waiting],
  );
  if (waiting === null) return null;
  const close = () => wait(null);
  const run = async (approves: boolean) => {
    try {
      if (approves) {
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
      onClose={close}
      footer={
        <>
          <Button onPress={close}>{REQUESTS.cancel}</Button>
          <Button onPress={() => void run(false)}>{APPROVE_RUN.runOthers}</Button>
          <Button variant="primary" onPress={() => void run(true)}>
            {APPROVE_RUN.approve}
          </Button>
        </>
      }
    >
      <div className={styles.form}>
        <p className={styles.remark}>{APPROVE_RUN.meaning}</p>
        {approvals.map((approval) => (
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
