import { create } from 'zustand';
import type { FolderTrustView } from '@/backend/bindings';

interface FolderState {
  /** The trust in the project's folder, without which no program starts there. */
  folder: FolderTrustView;
  replace(folder: FolderTrustView): void;
}

export const useFolder = create<FolderState>((set) => ({
  folder: { path: '', answer: 'not_asked', is_home: false },
  replace: (folder) => set({ folder }),
}));
