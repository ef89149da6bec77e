import type { StepKind, StepView } from './bindings';

/** Every step of a sign-in, in order. */
export const STEPS: readonly StepKind[] = [
  'challenge',
  'resource_metadata',
  'server_metadata',
  'registration',
  'authorization',
  'callback',
  'token',
  'retry',
];

/** A step that has not begun. */
export function pendingStep(step: StepKind): StepView {
  return {
    step,
    state: 'pending',
    started: null,
    duration: null,
    summary: null,
    exchanges: [],
    checks: [],
    draft: null,
  };
}
