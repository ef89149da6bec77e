import type { SignInView, StepKind, StepView } from '@/backend/bindings';
import { STEPS } from '@/state/sign-in/auth';

/** A step that the user chose to look at, and the moment of the sign-in at which they did. */
export interface ChosenStep {
  moment: string;
  step: StepKind;
}

/**
 * Moves when the sign-in stops somewhere that the user has to see: it pauses, or it fails. What
 * was chosen before that no longer holds.
 */
export function momentOf(attempt: SignInView | null): string {
  if (attempt === null) return 'none';
  const halted = attempt.steps.find(({ state }) => state === 'paused' || state === 'failed');
  return `${attempt.id} ${halted ? `${halted.state} ${halted.step}` : ''}`;
}

/** The step to show: the chosen one, else the one where the sign-in stopped or is. */
export function stepToShow(attempt: SignInView | null, chosen: ChosenStep | undefined): StepKind {
  if (chosen?.moment === momentOf(attempt)) return chosen.step;
  const steps = attempt?.steps ?? [];
  const stopped =
    steps.find(({ state }) => state === 'failed') ??
    steps.find(({ state }) => state === 'paused') ??
    steps.find(({ state }) => state === 'running') ??
    steps.findLast(({ state }) => state === 'done' || state === 'guessed');
  return stopped?.step ?? 'challenge';
}

/** The steps before a sign-in: none has begun. */
export const TO_COME: readonly StepView[] = STEPS.map((step) => ({
  step,
  state: 'pending',
  started: null,
  duration: null,
  summary: null,
  exchanges: [],
  checks: [],
  draft: null,
}));
