import { Button } from '@/components/Button';
import { Dialog } from '@/components/Dialog';
import { visibleText } from '@/lib/visible-text';
import { showError, showNote } from '@/state/notices';
import { useAddress } from '@/widgets/address/use-address';
import { ADDRESS } from './texts';

interface Props {
  /** The address a link points to; no dialog without one. */
  address: string | undefined;
  onClose(): void;
}

/** Shows where a link from a server leads before anything is opened. */
export function AddressDialog({ address, onClose }: Props) {
  const { opened, shown, open } = useAddress(address ?? '');
  const openIt = () => {
    void open().catch(showError);
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
          <Button variant="primary" isDisabled={opened === undefined} onPress={openIt}>
            {ADDRESS.open}
          </Button>
        </>
      }
    >
      <p className="mb-4 break-anywhere code">{visibleText(shown)}</p>
      <p className="text-data faint">
        {opened === undefined ? ADDRESS.notOpened : ADDRESS.fromServer}
      </p>
    </Dialog>
  );
}
