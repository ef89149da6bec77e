import { create } from 'zustand';
import type { CallConfirmation } from '@/backend/bindings';

interface ConfirmationsState {
  /** Calls that wait for the user, the oldest first. */
  open: readonly CallConfirmation[];
  replace(open: readonly CallConfirmation[]): void;
}

export const useConfirmations = create<ConfirmationsState>((set) => ({
  open: [],
  replace: (open) => set({ open }),
}));
