import type { Backend } from '@/backend/backend';
import type { Settings } from '@/backend/bindings';
import { useSnapshot } from './snapshot';

/** The save that is under way; null where none is. */
let saving: Promise<void> | null = null;

/**
 * Changes settings: shown at once, and saved after what is being saved, as of two saves at once
 * either may be the last. A change that is refused is taken back, unless another one came after it.
 */
export async function saveSettings(backend: Backend, changed: Partial<Settings>): Promise<void> {
  // Read afresh: two changes may come before the first is confirmed.
  const before = useSnapshot.getState().settings;
  const next = { ...before, ...changed };
  useSnapshot.setState({ settings: next });
  const save = async () => {
    await backend.updateSettings(next);
  };
  const saved = saving === null ? save() : saving.then(save, save);
  saving = saved;
  try {
    await saved;
  } catch (reason) {
    if (useSnapshot.getState().settings === next) useSnapshot.setState({ settings: before });
    throw reason;
  } finally {
    if (saving === saved) saving = null;
  }
}
