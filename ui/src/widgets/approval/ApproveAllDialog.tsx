import { useState } from 'react';
import { useBackend } from '@/backend/backend';
import type { TrustView } from '@/backend/bindings';
import { Checkbox } from '@/components/Checkbox';
import { Confirmed } from '@/components/Confirmed';
import { Dialog } from '@/components/Dialog';
import { Section } from '@/components/Section';
import { entirelyVisible } from '@/lib/visible-text';
import { showError, showNote } from '@/state/notices';
import { useBusy } from '@/state/servers/attempt';
import { useSnapshot } from '@/state/snapshot';
import { LaunchDetails } from '@/widgets/launch/LaunchDetails';
import styles from './approval.module.css';
import { APPROVE_ALL, DETAILS, FOLDER } from './texts';

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
      action={{ label: APPROVE_ALL.approve(requests.length), isDisabled: isBusy, run: approve }}
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

/** The effects of connecting to a project's server, and its entry as it stands in the file. */
export function ApprovalDetails({ trust }: { trust: TrustView }) {
  const place = `${trust.path}:${trust.line}`;
  return (
    <>
      <LaunchDetails
        launch={trust}
        facts={[[DETAILS.definedIn, <Confirmed key="path" text={place} />]]}
      />
      <details className={styles.raw}>
        <summary>{DETAILS.entry}</summary>
        <pre className={styles.text}>
          <Confirmed text={trust.text} isLines />
        </pre>
      </details>
    </>
  );
}

interface FolderTrustProps {
  isSelected: boolean;
  onChange: (isSelected: boolean) => void;
}

/** Offers to trust the folder along with approving a program that is to start in it. */
export function FolderTrust(props: FolderTrustProps) {
  const folder = useSnapshot((state) => state.folder);
  if (folder.answer === 'trusted') return null;
  return (
    <div className="stack gap-2 mt-5">
      <Checkbox {...props}>{FOLDER.trust}</Checkbox>
      <p className="remark">
        {FOLDER.before}
        <Confirmed text={folder.path} />
        {FOLDER.after}
      </p>
    </div>
  );
}
