import { useBackend } from '@/backend/backend';
import { Button } from '@/components/Button';
import { Dialog } from '@/components/Dialog';
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
  const opens = /^https?:\/\//i.test(address ?? '');
  const open = () => {
    if (address !== undefined) void backend.openAddress(address).catch(showError);
    onClose();
  };
  const copy = () => {
    void navigator.clipboard.writeText(address ?? '').then(() => showNote(ADDRESS.copied));
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
          <Button variant="primary" isDisabled={!opens} onPress={open}>
            {ADDRESS.open}
          </Button>
        </>
      }
    >
      <p className={styles.address}>{visibleText(address ?? '')}</p>
      <p className={styles.dim}>{opens ? ADDRESS.fromServer : ADDRESS.notOpened}</p>
    </Dialog>
  );
}
