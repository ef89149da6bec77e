import type { ExchangeKind, ServerId } from '@/backend/bindings';

/** The rows that the user wants to see. */
export interface Selection {
  readonly filter: string;
  readonly kinds: readonly ExchangeKind[];
  readonly invert: boolean;
  readonly server: ServerId | null;
  /** Shows phases, and the checks of the doctor, as rows. */
  readonly phases: boolean;
  /** Shows as rows what connections that check servers sent and got. */
  readonly checks: boolean;
}

/** Tells whether a selection leaves rows out. */
export function isNarrowed(selection: Selection): boolean {
  return selection.filter.trim() !== '' || selection.kinds.length > 0 || selection.server !== null;
}
