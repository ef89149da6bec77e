import { create } from 'zustand';
import type {
  AnswerRulesView,
  CallConfirmation,
  ExportProgress,
  FolderTrustView,
  RestartView,
  Settings,
} from '@/backend/bindings';

/** Facts of which only the last one counts, as the backend told them. */
interface SnapshotState {
  settings: Settings;
  /** The trust in the project's folder, without which no program starts there. */
  folder: FolderTrustView;
  /** The rules that answer questions of servers, as their file says them now. */
  answerRules: AnswerRulesView;
  /** Calls that wait for the user, the oldest first. */
  confirmations: readonly CallConfirmation[];
  /** The paths whose changes start servers anew. */
  restarts: readonly RestartView[];
  /** Progress of the newest export. */
  exported: ExportProgress | null;
}

export const useSnapshot = create<SnapshotState>(() => ({
  settings: {
    theme: 'system',
    retention: { days: 30, mebibytes: 2048 },
    messageLimit: 256,
    markdown: false,
    confirmDestructive: true,
    pingInterval: 30,
    zoom: 100,
    notifications: false,
    connectAtStart: [],
    profiles: [],
    order: [],
    defaults: { protocol: 'auto', startupLimit: null, callLimit: null },
    network: { proxy: '', noProxy: '', caFile: '' },
    models: [],
  },
  folder: { path: '', answer: 'notAsked', isHome: false },
  answerRules: { path: '', problems: [], rules: [] },
  confirmations: [],
  restarts: [],
  exported: null,
}));
