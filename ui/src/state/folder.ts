import { create } from 'zustand';
import type { FolderTrustView } from '@/backend/bindings';

interface FolderState {
  /** Whether programs may start in the project's folder. */
  folder: FolderTrustView;
  replace(folder: FolderTrustView): void;
}

export const useFolder = create<FolderState>((set) => ({
  folder: { path: '', answer: 'not_asked', is_home: false },
  replace: (folder) => set({ folder }),
}));
