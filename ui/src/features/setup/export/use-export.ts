import { useState } from 'react';
import { useBackend } from '@/backend/backend';
import type { ChosenServer, Client, CommandError, Exported } from '@/backend/bindings';
import { asCommandError } from '@/backend/error';
import { useAsyncEffect } from '@/components/use-async-effect';

/** Servers as a client's own file would have them. */
export function useExport(items: readonly ChosenServer[], client: Client, withSecrets: boolean) {
  const backend = useBackend();
  const [exported, setExported] = useState<Exported | null>(null);
  const [problem, setProblem] = useState<CommandError | null>(null);
  const asked = JSON.stringify(items);
  useAsyncEffect(
    () => ({
      start: () =>
        backend.exportServers({ servers: JSON.parse(asked), client, includeSecrets: withSecrets }),
      onValue: (found) => {
        setExported(found);
        setProblem(null);
      },
      onError: (reason) => {
        setExported(null);
        setProblem(asCommandError(reason));
      },
    }),
    [backend, asked, client, withSecrets],
  );
  return { exported, problem };
}
