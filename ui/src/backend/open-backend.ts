import { isTauri } from '@tauri-apps/api/core';
import type { Backend } from './backend';

/** The backend of this window: the host when there is one, otherwise the fake. */
export async function openBackend(): Promise<Backend> {
  if (isTauri()) {
    const { tauriBackend } = await import('./tauri-backend');
    return tauriBackend();
  }
  const [{ fakeBackend }, { isScenario }] = await Promise.all([
    import('./fake/fake-backend'),
    import('./fake/scenarios'),
  ]);
  const named = new URLSearchParams(window.location.search).get('scenario');
  return fakeBackend(isScenario(named) ? named : 'project');
}
