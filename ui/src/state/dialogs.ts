import { create } from 'zustand';
import type { ServerId } from '@/backend/bindings';

/** The dialog that is open; one at a time. */
export type OpenDialog =
  | { kind: 'palette'; mode: 'commands' | 'jump' }
  | { kind: 'shortcuts' }
  | { kind: 'settings' }
  | { kind: 'add-server' }
  /** With the fingerprint of a certificate that is about to be accepted, if there is one. */
  | { kind: 'edit-server'; server: ServerId; fingerprint?: string }
  | { kind: 'remove-server'; server: ServerId };

interface DialogsState {
  dialog: OpenDialog | null;
  show(dialog: OpenDialog): void;
  close(): void;
}

export const useDialogs = create<DialogsState>((set) => ({
  dialog: null,
  show: (dialog) => set({ dialog }),
  close: () => set({ dialog: null }),
}));
