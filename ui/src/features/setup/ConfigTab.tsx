import { useMemo } from 'react';
import type { ServerView } from '@/backend/bindings';
import { CommandLine } from '@/components/CommandLine';
import { EmptyState } from '@/components/EmptyState';
import { serverKey } from '@/state/setup/config-view';
import { useConfiguration } from '@/state/setup/configuration';
import { ServerExplanation } from './explain/ServerExplanation';
import { rowsOf } from './matrix/matrix';
import { CONFIG } from './texts';

/**
 * The place of a server's definition, the reason why that one counts, and what differs in the
 * others.
 */
export default function ConfigTab({ server }: { server: ServerView }) {
  const view = useConfiguration((state) => state.view);
  const client = server.target?.client ?? 'mcp-json';
  const row = useMemo(
    () => rowsOf(view, client).find(({ key }) => key === serverKey(client, server.name)),
    [view, client, server.name],
  );
  if (server.target === null) {
    return (
      <EmptyState title={server.origin === 'tried' ? CONFIG.tried : CONFIG.builtIn}>
        <p>{server.origin === 'tried' ? CONFIG.triedHint : CONFIG.builtInHint}</p>
        <CommandLine className="block mt-3 selectable text-1" text={server.summary} />
      </EmptyState>
    );
  }
  return row ? <ServerExplanation row={row} isEmbedded /> : null;
}
