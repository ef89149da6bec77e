import { AddDialog } from '@/features/config/add/AddDialog';
import { ImportDialog } from '@/features/config/add/ImportDialog';
import { UnusedBundlesDialog } from '@/features/config/add/UnusedBundlesDialog';
import { RenameDialog } from '@/features/config/change/RenameDialog';
import { ReviewDialog } from '@/features/config/change/ReviewDialog';
import { SyncDialog } from '@/features/config/change/SyncDialog';
import { TransferDialog } from '@/features/config/change/TransferDialog';
import { ExportDialog } from '@/features/config/export/ExportDialog';
import { RulesDialog } from '@/features/questions/RulesDialog';
import { NewRequestDialog } from '@/features/requests/NewRequestDialog';
import { SaveRequestDialog } from '@/features/requests/SaveRequestDialog';
import { FolderTrustDialog } from '@/features/servers/FolderTrustDialog';
import { RestartDialog } from '@/features/servers/RestartDialog';
import { CompareSessionDialog } from '@/features/sessions/CompareSessionDialog';
import { ReplayDialog } from '@/features/sessions/ReplayDialog';
import { ServerSettingsDialog } from '@/features/settings/ServerSettingsDialog';
import { SettingsDialog } from '@/features/settings/SettingsDialog';
import { CompareDialog } from '@/features/surface/CompareDialog';
import { TrafficExportDialog } from '@/features/traffic/export/TrafficExportDialog';
import { useDialogs } from '@/state/dialogs';
import { ShortcutSheet } from './ShortcutSheet';

/** The dialog that is open, apart from the palette. */
export default function Dialogs() {
  const dialog = useDialogs((state) => state.dialog);
  switch (dialog?.kind) {
    case 'shortcuts':
      return <ShortcutSheet />;
    case 'answer-rules':
      return <RulesDialog addition={dialog.addition} />;
    case 'settings':
      return <SettingsDialog />;
    case 'server-settings':
      return <ServerSettingsDialog server={dialog.server} />;
    case 'add-server':
      return <AddDialog target={dialog.target} tried={dialog.tried} text={dialog.text} />;
    case 'import-servers':
      return <ImportDialog chosen={dialog.chosen} />;
    case 'config-change':
      return <ReviewDialog action={dialog.action} />;
    case 'config-sync':
      return <SyncDialog from={dialog.from} name={dialog.name} />;
    case 'config-transfer':
      return <TransferDialog {...dialog} />;
    case 'folder-trust':
      return <FolderTrustDialog server={dialog.server} start={dialog.start} />;
    case 'config-rename':
      return <RenameDialog target={dialog.target} name={dialog.name} />;
    case 'unused-bundles':
      return <UnusedBundlesDialog />;
    case 'save-request':
      return <SaveRequestDialog {...dialog} />;
    case 'new-request':
      return <NewRequestDialog />;
    case 'restart-on-change':
      return <RestartDialog server={dialog.server} />;
    case 'compare-server':
      return <CompareDialog server={dialog.server} />;
    case 'compare-session':
      return <CompareSessionDialog session={dialog.session} />;
    case 'replay-session':
      return <ReplayDialog session={dialog.session} />;
    case 'traffic-export':
      return <TrafficExportDialog source={dialog.source} chosen={dialog.chosen} />;
    case 'config-export':
      return <ExportDialog items={dialog.items} />;
    default:
      return null;
  }
}
