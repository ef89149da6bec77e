import type { Backend, Unsubscribe } from '@/backend/backend';
import { latestInFrame } from '@/lib/frames';
import { useTasks } from './calls/tasks';
import { applyFacts, applySnapshot } from './facts';
import { showError } from './notices';
import { useRecording } from './record/recording';
import { FactSequence } from './sequence';
import { useConfiguration } from './setup/configuration';
import { restoreUnsaved } from './setup/unsaved';

/** Fills the stores, at once with what the backend gave along, and keeps them as it says. */
export async function startSync(backend: Backend): Promise<Unsubscribe> {
  const { given } = backend;
  if (given) applySnapshot(given);
  const sequence = new FactSequence(applyFacts);
  const [endEvents, endTraffic] = await Promise.all([
    backend.onEvents((batch) => sequence.push(batch)),
    backend.onTraffic(latestInFrame((revision) => useRecording.getState().setRevision(revision))),
  ]);
  const snapshot = await backend.getSnapshot();
  // The page was loaded anew.
  if (!given) void restoreUnsaved(backend).catch(showError);
  // What has not changed is not drawn again.
  if (snapshot.sequence !== given?.sequence) applySnapshot(snapshot);
  sequence.begin(snapshot.sequence);
  // The window shows its servers without it; facts bring later ones.
  void backend.getConfiguration().then(useConfiguration.getState().replace, showError);
  void backend.listTasks().then(useTasks.getState().replace, showError);
  return () => {
    endEvents();
    endTraffic();
  };
}
