import { create } from 'zustand';
import type { RestartView, ServerId } from '@/backend/bindings';

interface RestartsState {
  /** The path whose changes start a server anew, by server. */
  paths: Readonly<Record<ServerId, string>>;
  replace(restarts: readonly RestartView[]): void;
}

export const useRestarts = create<RestartsState>((set) => ({
  paths: {},
  replace: (restarts) =>
    set({ paths: Object.fromEntries(restarts.map(({ server, path }) => [server, path])) }),
}));
