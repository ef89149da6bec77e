import { RemoveServerDialog } from '@/features/config/RemoveServerDialog';
import { ServerDialog } from '@/features/config/ServerDialog';
import { SettingsDialog } from '@/features/settings/SettingsDialog';
import { useDialogs } from '@/state/dialogs';
import { ShortcutSheet } from './ShortcutSheet';

/** The dialog that is open, apart from the palette. */
export default function Dialogs() {
  const dialog = useDialogs((state) => state.dialog);
  switch (dialog?.kind) {
    case 'shortcuts':
      return <ShortcutSheet />;
    case 'settings':
      return <SettingsDialog />;
    case 'add-server':
      return <ServerDialog server={null} />;
    case 'edit-server':
      return <ServerDialog server={dialog.server} fingerprint={dialog.fingerprint} />;
    case 'remove-server':
      return <RemoveServerDialog server={dialog.server} />;
    default:
      return null;
  }
}
