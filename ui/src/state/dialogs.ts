import { useCallback, useState } from 'react';
import { create } from 'zustand';
import type {
  AnswerRuleDraft,
  ConfigAction,
  Draft,
  ExpectationDraft,
  ImportedServer,
  RequestOutcome,
  ServerId,
  SessionId,
  Target,
} from '@/backend/bindings';
import type { ExportChoice, ExportSource } from './record/exports';
import type { Repair } from './setup/repair';

/** Answer of a call that its own test passes. */
export type Passed = Pick<RequestOutcome, 'requestFrame' | 'responseFrame' | 'duration'>;

/** The dialog that is open; one at a time. */
export type OpenDialog =
  | { kind: 'palette' }
  | { kind: 'shortcuts' }
  | { kind: 'settings' }
  /** `addition`: a rule that is put at the end of the file; `then` answers by it after that. */
  | { kind: 'answer-rules'; addition?: AnswerRuleDraft; then?: () => void }
  /**
   * `target`: where to put it, where that is known already. `tried`: what is saved by it. `text`:
   * what is pasted into it at first.
   */
  | {
      kind: 'add-server';
      target?: Target;
      tried?: { server: ServerId; draft: Draft };
      text?: string;
    }
  /** The same server in several clients. */
  | { kind: 'config-sync'; from: Target; name: string }
  /** `chosen`: those that are ticked at first. */
  | { kind: 'import-servers'; chosen?: readonly ImportedServer[] }
  /** The entry of a server with what mends it. */
  | { kind: 'repair'; server: ServerId; repair: Repair }
  /** A change that needs nothing more than to be looked at. */
  | { kind: 'config-change'; action: ConfigAction }
  | {
      kind: 'config-transfer';
      mode: 'move' | 'copy';
      from: Target;
      names: string[];
      to: Target | null;
    }
  /** `server` is started by `start` once the question is answered; `left` where it is not. */
  | {
      kind: 'folder-trust';
      server: ServerId | null;
      start?: () => Promise<unknown>;
      left?: (() => void) | undefined;
    }
  | { kind: 'config-rename'; target: Target; name: string }
  | { kind: 'unused-bundles' }
  /** A request that is saved as a test, with what is expected of its answer. */
  | {
      kind: 'save-request';
      server: ServerId;
      method: string;
      params: string;
      name: string;
      expected: ExpectationDraft | undefined;
      /** Duration of the call where it has just been answered without an error, and so passes. */
      passedBy?: Passed | undefined;
    }
  /** A request is written as a file without a call before it. */
  | { kind: 'new-request' }
  /** A server is started anew when its source changes. */
  | { kind: 'restart-on-change'; server: ServerId }
  /** A server is compared with another one, or with itself in another situation. */
  | { kind: 'compare-server'; server: ServerId }
  /** A recorded server is compared with another one. */
  | { kind: 'compare-session'; session: SessionId }
  /** Recorded requests are sent to a connected server. */
  | { kind: 'replay-session'; session: SessionId }
  /** `chosen`: the rows that are chosen at first. */
  | { kind: 'traffic-export'; source: ExportSource; chosen: ExportChoice }
  | { kind: 'config-export'; items: { target: Target; name: string }[] };

/** Number of links that wait. A page may open one after the other. */
const MAX_LINKS = 8;

interface DialogsState {
  dialog: OpenDialog | null;
  /** Moves whenever a dialog opens, so that none takes over what stands in another. */
  opened: number;
  /** Those that open one after the other once the one that is open is closed. */
  waiting: readonly OpenDialog[];
  /** Number of links that were not kept, as too many wait; counted until no dialog is open. */
  dropped: number;
  show(dialog: OpenDialog): void;
  /**
   * Shows a dialog that no press asks for just now: after the one that is open, where one is. What
   * follows from something that the user did comes before the links.
   */
  showWhenFree(dialog: OpenDialog): void;
  /** Closes the dialog that opened with this number; any other one stays. */
  close(opened: number): void;
}

export const useDialogs = create<DialogsState>((set, get) => ({
  dialog: null,
  opened: 0,
  waiting: [],
  dropped: 0,
  show: (dialog) => set(({ opened }) => ({ dialog, opened: opened + 1 })),
  showWhenFree: (dialog) => {
    const { dialog: open, waiting, dropped, show } = get();
    if (open === null || isReplaceable(open, dialog)) show(dialog);
    else if (!isLink(dialog)) {
      const others = waiting.filter((other) => !isReplaceable(other, dialog));
      set({ waiting: [dialog, ...others] });
    } else if (waiting.filter(isLink).length < MAX_LINKS) set({ waiting: [...waiting, dialog] });
    else set({ dropped: dropped + 1 });
  },
  close: (closed) =>
    set(({ waiting: [next = null, ...waiting], opened, dropped }) =>
      closed === opened
        ? {
            dialog: next,
            waiting,
            opened: opened + 1,
            dropped: next === null ? 0 : dropped,
          }
        : {},
    ),
}));

/** Shows a dialog that a press asks for, instead of the one that is open. */
export function showDialog(dialog: OpenDialog): void {
  useDialogs.getState().show(dialog);
}

/** Asks whether the folder of the project is trusted, because of a server. */
export function askAboutFolder(server: ServerId): void {
  showDialog({ kind: 'folder-trust', server });
}

/** Shows what a repair changes in the entry of a server, to be written once that was seen. */
export function showRepair(server: ServerId, repair: Repair): void {
  useDialogs.getState().show({ kind: 'repair', server, repair });
}

/** Tells whether a dialog was opened by a link. */
export function isLink(dialog: OpenDialog): boolean {
  return dialog.kind === 'add-server' && dialog.text !== undefined;
}

/** Tells whether a dialog may give way to another: it holds nothing, or asks the same. */
function isReplaceable(dialog: OpenDialog, by: OpenDialog): boolean {
  const asksTheSame = dialog.kind === 'folder-trust' && by.kind === 'folder-trust';
  return dialog.kind === 'palette' || asksTheSame;
}

/**
 * Returns how a dialog closes itself, also late: another one that is open by then stays. For the
 * components of a dialog, which are built anew each time that one opens.
 */
export function useClose(): () => void {
  const [opened] = useState(() => useDialogs.getState().opened);
  return useCallback(() => useDialogs.getState().close(opened), [opened]);
}
