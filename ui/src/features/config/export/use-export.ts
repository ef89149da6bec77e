import { useEffect, useState } from 'react';
import { useBackend } from '@/backend/backend';
import type { ChosenServer, Client, CommandError, ExportView } from '@/backend/bindings';
import { asCommandError } from '@/backend/error';

/** Servers as a client's own file would have them. */
export function useExport(items: readonly ChosenServer[], client: Client, withSecrets: boolean) {
  const backend = useBackend();
  const [exported, setExported] = useState<ExportView | null>(null);
  const [problem, setProblem] = useState<CommandError | null>(null);
  const asked = JSON.stringify(items);
  useEffect(() => {
    let isCurrent = true;
    backend
      .exportServers({ servers: JSON.parse(asked), client, include_secrets: withSecrets })
      .then((found) => {
        if (!isCurrent) return;
        setExported(found);
        setProblem(null);
      })
      .catch((reason) => {
        if (!isCurrent) return;
        setExported(null);
        setProblem(asCommandError(reason));
      });
    return () => {
      isCurrent = false;
    };
  }, [backend, asked, client, withSecrets]);
  return { exported, problem };
}
