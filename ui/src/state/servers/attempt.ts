import { useState } from 'react';
import { asCommandError } from '@/backend/error';
import { showError } from '@/state/notices';

/** An action of a dialog, which stays open and says the reason when the action fails. */
export interface Attempt {
  isBusy: boolean;
  /** The reason why it failed the last time. */
  problem: string | null;
  /** Does the action. Never rejects. */
  attempt(action: () => Promise<void>): Promise<void>;
}

export function useAttempt(): Attempt {
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
