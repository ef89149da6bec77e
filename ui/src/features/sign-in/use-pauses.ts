import { useBackend } from '@/backend/backend';
import type { ServerView, StepKind } from '@/backend/bindings';
import { showError } from '@/state/notices';
import { isSignInUnderWay, useAuth, useAuthView } from '@/state/sign-in/auth';

const NO_PAUSES: readonly StepKind[] = [];

/** The steps before which a sign-in of this server pauses, the one that runs included. */
export function usePauses(
  server: ServerView,
): readonly [readonly StepKind[], (pauses: readonly StepKind[]) => void] {
  const backend = useBackend();
  const pauses = useAuth((state) => state.pauses[server.id] ?? NO_PAUSES);
  const isRunning = isSignInUnderWay(useAuthView(server.id)?.attempt ?? null);
  const setPauses = (next: readonly StepKind[]) => {
    useAuth.getState().setPauses(server.id, next);
    if (isRunning) backend.updateSignInPauses(server.id, [...next]).catch(showError);
  };
  return [pauses, setPauses];
}
