import { RulesDialog } from '@/features/calls/questions/RulesDialog';
import { CompareDialog } from '@/features/checks/CompareDialog';
import { TrafficExportDialog } from '@/features/record/export/TrafficExportDialog';
import { CompareSessionDialog } from '@/features/record/sessions/CompareSessionDialog';
import { ReplayDialog } from '@/features/record/sessions/ReplayDialog';
import { FolderTrustDialog } from '@/features/servers/list/FolderTrustDialog';
import { RestartDialog } from '@/features/servers/list/RestartDialog';
import { SettingsDialog } from '@/features/settings/SettingsDialog';
import { AddDialog } from '@/features/setup/add/AddDialog';
import { ImportDialog } from '@/features/setup/add/ImportDialog';
import { UnusedBundlesDialog } from '@/features/setup/add/UnusedBundlesDialog';
import { RenameDialog } from '@/features/setup/change/RenameDialog';
import { RepairDialog } from '@/features/setup/change/RepairDialog';
import { ReviewDialog } from '@/features/setup/change/ReviewDialog';
import { SyncDialog } from '@/features/setup/change/SyncDialog';
import { TransferDialog } from '@/features/setup/change/TransferDialog';
import { ExportDialog } from '@/features/setup/export/ExportDialog';
import { NewRequestDialog } from '@/features/tests/NewRequestDialog';
import { SaveTestDialog } from '@/features/tests/SaveTestDialog';
import { useDialogs } from '@/state/dialogs';
import { ShortcutSheet } from './ShortcutSheet';

/** The dialog that is open, apart from the palette. */
export default function Dialogs() {
  const dialog = useDialogs((state) => state.dialog);
  switch (dialog?.kind) {
    case 'shortcuts':
      return <ShortcutSheet />;
    case 'answer-rules':
      return <RulesDialog {...dialog} />;
    case 'settings':
      return <SettingsDialog />;
    case 'add-server':
      return <AddDialog target={dialog.target} tried={dialog.tried} text={dialog.text} />;
    case 'import-servers':
      return <ImportDialog chosen={dialog.chosen} />;
    case 'repair':
      return <RepairDialog server={dialog.server} repair={dialog.repair} />;
    case 'config-change':
      return <ReviewDialog action={dialog.action} />;
    case 'config-sync':
      return <SyncDialog from={dialog.from} name={dialog.name} />;
    case 'config-transfer':
      return <TransferDialog {...dialog} />;
    case 'folder-trust':
      return <FolderTrustDialog {...dialog} />;
    case 'config-rename':
      return <RenameDialog target={dialog.target} name={dialog.name} />;
    case 'unused-bundles':
      return <UnusedBundlesDialog />;
    case 'save-request':
      return <SaveTestDialog {...dialog} />;
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
