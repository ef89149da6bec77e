import { create } from 'zustand';
import type { ServerId } from '@/backend/bindings';
import { useAuthView } from '@/state/sign-in/auth';

/** The last run of a tool, made as two identities. */
export interface Comparison {
  /** The id under which the run of the connection's own identity is kept. */
  runId: string;
  /** The identity of the connection, and the one it is compared with. */
  identities: readonly [string, string];
}

interface ComparisonsState {
  /** The comparisons by `runId`. */
  comparisons: Readonly<Record<string, Comparison | undefined>>;
}

const useComparisons = create<ComparisonsState>(() => ({ comparisons: {} }));

/** Shows both results of a run beside each other. */
export function compare(comparison: Comparison): void {
  const { comparisons } = useComparisons.getState();
  useComparisons.setState({ comparisons: { ...comparisons, [comparison.runId]: comparison } });
}

/** Shows the one result of a run again. */
export function endComparison(runId: string): void {
  const { comparisons } = useComparisons.getState();
  if (comparisons[runId] === undefined) return;
  useComparisons.setState({ comparisons: { ...comparisons, [runId]: undefined } });
}

export function useComparison(runId: string | null): Comparison | undefined {
  return useComparisons((state) => (runId === null ? undefined : state.comparisons[runId]));
}

/** The id under which the run as another identity is kept. */
export function runAs(runId: string, identity: string): string {
  return `${runId}\nas ${identity}`;
}

/** The identity in use, and the others that are signed in, by name. */
export function useIdentities(server: ServerId): {
  identity: string | null;
  others: readonly string[];
} {
  const view = useAuthView(server);
  const others = (view?.identities ?? [])
    .filter(({ name, grant }) => grant !== null && name !== view?.identity)
    .map(({ name }) => name);
  return { identity: view?.identity ?? null, others };
}
