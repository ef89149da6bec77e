import { useBackend } from '@/backend/backend';
import { Button } from '@/components/Button';
import { Dialog } from '@/components/Dialog';
import { webAddress } from '@/lib/url';
import { visibleText } from '@/lib/visible-text';
import { showError, showNote } from '@/state/notices';
import styles from './result.module.css';
import { ADDRESS } from './texts';

interface Props {
  /** The address a link points to; no dialog without one. */
  address: string | undefined;
  onClose(): void;
}

/** Shows where a link from a server leads before anything is opened. */
export function AddressDialog({ address, onClose }: Props) {
  const backend = useBackend();
  const opened = webAddress(address ?? '');
  // The one value that is shown, and copied or opened.
  const shown = opened ?? address ?? '';
  const open = () => {
    if (opened !== undefined) void backend.openAddress(opened).catch(showError);
    onClose();
  };
  const copy = () => {
    void navigator.clipboard.writeText(shown).then(() => showNote(ADDRESS.copied));
    onClose();
  };
  return (
    <Dialog
      title={ADDRESS.title}
      isOpen={address !== undefined}
      onClose={onClose}
      footer={
        <>
          <Button onPress={copy}>{ADDRESS.copy}</Button>
          <Button variant="primary" isDisabled={opened === undefined} onPress={open}>
            {ADDRESS.open}
          </Button>
        </>
      }
    >
      <p className={styles.address}>{visibleText(shown)}</p>
      <p className={styles.dim}>{opened === undefined ? ADDRESS.notOpened : ADDRESS.fromServer}</p>
    </Dialog>
  );
}
