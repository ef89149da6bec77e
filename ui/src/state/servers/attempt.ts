import { useState } from 'react';
import { asCommandError } from '@/backend/error';
import { showError } from '@/state/notices';

export function useAttempt() {
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const attempt = async (action: () => Promise<void>) => {
    setBusy(true);
    setProblem(null);
    try {
      await action();
    } catch (reason) {
      const { message, hint } = asCommandError(reason);
      setProblem(hint === null ? message : `${message} ${hint}`);
    } finally {
      setBusy(false);
    }
  };
  return { isBusy, problem, attempt };
}

/** Carries out an action, and tells of its failure in a notice. */
export function useBusy() {
  const [isBusy, setBusy] = useState(false);
  const run = async (action: () => Promise<unknown>) => {
    setBusy(true);
    await action().catch(showError);
    setBusy(false);
  };
  return { isBusy, run };
}
