import type { ComponentType } from 'react';
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
import { type OpenDialog, useDialogs } from '@/state/dialogs';
import { ShortcutSheet } from './ShortcutSheet';

type Kind = Exclude<OpenDialog['kind'], 'palette'>;

const DIALOGS: { [K in Kind]: ComponentType<Extract<OpenDialog, { kind: K }>> } = {
  shortcuts: ShortcutSheet,
  'answer-rules': RulesDialog,
  settings: SettingsDialog,
  'add-server': AddDialog,
  'import-servers': ImportDialog,
  repair: RepairDialog,
  'config-change': ReviewDialog,
  'config-sync': SyncDialog,
  'config-transfer': TransferDialog,
  'folder-trust': FolderTrustDialog,
  'config-rename': RenameDialog,
  'unused-bundles': UnusedBundlesDialog,
  'save-request': SaveTestDialog,
  'new-request': NewRequestDialog,
  'restart-on-change': RestartDialog,
  'compare-server': CompareDialog,
  'compare-session': CompareSessionDialog,
  'replay-session': ReplayDialog,
  'traffic-export': TrafficExportDialog,
  'config-export': ExportDialog,
};

/** The dialog that is open, apart from the palette. */
export default function Dialogs() {
  const dialog = useDialogs((state) => state.dialog);
  if (dialog === null || dialog.kind === 'palette') return null;
  const Open = DIALOGS[dialog.kind] as ComponentType<OpenDialog>;
  return <Open {...dialog} />;
}
