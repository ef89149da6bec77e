import { isTauri } from '@tauri-apps/api/core';
import type { Backend } from './backend';
import { tauriBackend } from './tauri-backend';

/** The backend of this window: the host when there is one, otherwise the fake. */
export async function openBackend(): Promise<Backend> {
  if (isTauri()) return tauriBackend();
  const [{ fakeBackend }, { isScenario }] = await Promise.all([
    import('./fake/fake-backend'),
    import('./fake/scenarios'),
  ]);
  const named = new URLSearchParams(window.location.search).get('scenario');
  return fakeBackend(isScenario(named) ? named : 'project');
}
