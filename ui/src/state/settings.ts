import { create } from 'zustand';
import type { Settings } from '@/backend/bindings';

interface SettingsState {
  settings: Settings;
  replace(settings: Settings): void;
}

export const useSettings = create<SettingsState>((set) => ({
  settings: {
    theme: 'system',
    retention: { days: 30, mebibytes: 2048 },
    message_limit: 256,
    markdown: false,
    confirm_destructive: true,
    ping_interval: 30,
    zoom: 100,
    notifications: false,
    connect_at_start: [],
    profiles: [],
    order: [],
    defaults: { protocol: 'auto', startup_limit: null, call_limit: null },
    network: { proxy: '', no_proxy: '', ca_file: '' },
    models: [],
  },
  replace: (settings) => set({ settings }),
}));
