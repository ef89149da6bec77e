import type { PlanView } from '@/backend/bindings';

/**
 * Tells whether a plan writes through a link that leads out of the project: then it is asked about.
 */
export function leavesProject(plan: PlanView): boolean {
  return plan.files.some(({ outside }) => outside !== null);
}

/** Tells whether a plan ends a connection or a file: then it is asked about. */
export function endsSomething({ disconnects, files }: PlanView): boolean {
  return disconnects.length > 0 || files.some(({ deletes }) => deletes);
}
