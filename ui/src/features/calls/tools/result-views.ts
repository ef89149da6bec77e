import { create } from 'zustand';
import type { ServerId } from '@/backend/bindings';
import { useAuthView } from '@/state/sign-in/auth';

/** Views in the place of a tool's result besides the last one. */
interface ResultView {
  /** The keys of two runs that are compared, the earlier first. */
  readonly pair?: { readonly first: string; readonly second: string } | undefined;
  /** The identity of the connection, and the one that it is compared with. */
  readonly identities?: readonly [string, string] | undefined;
  /** True while the calls on record are listed. */
  readonly history?: boolean;
}

const NONE: ResultView = {};

/** The views by the id of what was run. */
const useViews = create<Readonly<Record<string, ResultView>>>(() => ({}));

/** Changes what is shown of a tool's results. */
export function showView(runId: string, change: ResultView): void {
  useViews.setState((views) => ({ [runId]: { ...views[runId], ...change } }));
}

/** Shows nothing but the result. */
export function showResult(runId: string): void {
  if (useViews.getState()[runId]) useViews.setState({ [runId]: NONE });
}

export function useView(runId: string | null): ResultView {
  return useViews((views) => (runId === null ? undefined : views[runId])) ?? NONE;
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
