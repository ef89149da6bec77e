import type { ServerId } from '@/backend/bindings';
import { useAuthView } from '@/state/sign-in/auth';

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
