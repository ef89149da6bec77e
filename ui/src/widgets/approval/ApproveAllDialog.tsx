import { useState } from 'react';
import { useBackend } from '@/backend/backend';
import type { TrustView } from '@/backend/bindings';
import { Button } from '@/components/Button';
import { Dialog } from '@/components/Dialog';
import { Section } from '@/components/Section';
import { entirelyVisible } from '@/lib/visible-text';
import { showError, showNote } from '@/state/notices';
import { useBusy } from '@/state/servers/attempt';
import { ApprovalDetails, FolderTrust } from './ApprovalDetails';
import styles from './approval.module.css';
import { APPROVE_ALL } from './texts';

interface ApproveAllDialogProps {
  /** The requests when the dialog was opened: these versions are approved, no others. */
  requests: readonly TrustView[];
  onClose: () => void;
}

/** All servers of the project that wait, with everything shown, and one decision. */
export function ApproveAllDialog({ requests, onClose }: ApproveAllDialogProps) {
  const backend = useBackend();
  const { isBusy, run } = useBusy();
  const [trustsFolder, setTrustsFolder] = useState(false);

  const approve = () =>
    void run(async () => {
      const { approved, changed } = await backend.approveServers(
        requests.map(({ server, fingerprint }) => ({ server, fingerprint })),
      );
      if (trustsFolder) await backend.trustFolder();
      if (changed.length > 0) {
        showError(new Error(APPROVE_ALL.changed(changed.map(({ name }) => name))));
      } else {
        showNote(APPROVE_ALL.approved(approved.length));
      }
      onClose();
    });
  return (
    <Dialog
      title={APPROVE_ALL.title(requests.length)}
      isOpen
      width="wide"
      onClose={onClose}
      footer={
        <>
          <Button onPress={onClose}>{APPROVE_ALL.cancel}</Button>
          <Button variant="primary" isDisabled={isBusy} onPress={approve}>
            {APPROVE_ALL.approve(requests.length)}
          </Button>
        </>
      }
    >
      <p className="remark">{APPROVE_ALL.comesFrom(entirelyVisible(requests[0]?.project ?? ''))}</p>
      <div className={styles.requests}>
        {requests.map((trust) => (
          <Section key={trust.server} title={titleOf(trust)}>
            <ApprovalDetails trust={trust} />
          </Section>
        ))}
      </div>
      {requests.some(({ kind }) => kind === 'program') && (
        <FolderTrust isSelected={trustsFolder} onChange={setTrustsFolder} />
      )}
    </Dialog>
  );
}

function titleOf({ name, changed }: TrustView): string {
  const shown = entirelyVisible(name);
  return changed ? APPROVE_ALL.changedSince(shown) : shown;
}
