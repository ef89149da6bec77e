import { useState } from 'react';
import { useBackend } from '@/backend/backend';
import type { TrustView } from '@/backend/bindings';
import { Button } from '@/components/Button';
import { Dialog } from '@/components/Dialog';
import { Section } from '@/components/Section';
import { visibleText } from '@/lib/visible-text';
import { showError, showNote } from '@/state/notices';
import { ApprovalDetails } from './ApprovalDetails';
import styles from './approval.module.css';
import { FolderTrust } from './FolderTrust';

interface ApproveAllDialogProps {
  /** The requests when the dialog was opened: these versions are approved, no others. */
  requests: readonly TrustView[];
  onClose: () => void;
}

/** All servers of the project that wait, with everything shown, and one decision. */
export function ApproveAllDialog({ requests, onClose }: ApproveAllDialogProps) {
  const backend = useBackend();
  const [isBusy, setBusy] = useState(false);
  const [trustsFolder, setTrustsFolder] = useState(false);

  const approve = async () => {
    setBusy(true);
    try {
      const { approved, changed } = await backend.approveServers(
        requests.map(({ server, fingerprint }) => ({ server, fingerprint })),
      );
      if (trustsFolder) await backend.trustFolder();
      if (changed.length > 0) {
        const names = changed.map(({ name }) => name).join(', ');
        showError(new Error(`Changed meanwhile and not approved: ${names}. Review them again.`));
      } else {
        showNote(`Approved ${approved.length} servers for this project`);
      }
      onClose();
    } catch (reason) {
      showError(reason);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Dialog
      title={`${requests.length} servers wait for your approval`}
      isOpen
      width="wide"
      onClose={onClose}
      footer={
        <>
          <Button onPress={onClose}>Cancel</Button>
          <Button variant="primary" isDisabled={isBusy} onPress={() => void approve()}>
            Approve all {requests.length}
          </Button>
        </>
      }
    >
      <p className={styles.remark}>
        These servers came with the project {requests[0]?.project}. Approve them only if you trust
        everything below.
      </p>
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
  const shown = visibleText(name);
  return changed ? `${shown} (changed since you approved it)` : shown;
}
