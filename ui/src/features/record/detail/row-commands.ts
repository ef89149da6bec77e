import { useBackend } from '@/backend/backend';
import type { ExchangeRow } from '@/backend/bindings';
import type { MenuEntry } from '@/components/Menu';
import { isLive } from '@/state/servers/phases';
import { useServer, useServers } from '@/state/servers/servers';
import { COPY, DETAIL } from '../texts';
import { copyExchange } from './copies';
import { canResend, editAndResend, resend, saveRow } from './resend';

interface RowCommands {
  /** Ways to make its request again. */
  requests: readonly MenuEntry[];
  copies: readonly MenuEntry[];
}

/** Returns what can be done with a row: beside its detail, and in its menu. */
export function useRowCommands(row: ExchangeRow): RowCommands {
  const backend = useBackend();
  const here = useServers((state) => state.project.path);
  const found = useServer(row.serverId);
  // Another project's server of this name may be another program.
  const server = row.project === '' || row.project === here ? found : undefined;
  const isConnected = server !== undefined && isLive(server.status.phase);
  const again: MenuEntry[] = [
    {
      id: 'edit',
      title: isConnected ? DETAIL.editAndResend : DETAIL.connectAndEdit,
      run: () => void editAndResend(backend, row),
    },
    {
      id: 'resend',
      title: isConnected ? DETAIL.resend : DETAIL.connectAndResend,
      run: () => void resend(backend, row),
    },
  ];
  const save: MenuEntry = {
    id: 'save',
    title: DETAIL.saveRequest,
    run: () => void saveRow(backend, row),
  };
  const isSent = server !== undefined && row.kind === 'request' && row.direction === 'sent';
  return {
    requests: isSent ? [...(canResend(row) ? again : []), save] : [],
    copies: [
      { id: 'json', title: COPY.json, run: () => copyExchange(backend, row.id, 'json') },
      { id: 'curl', title: COPY.curl, run: () => copyExchange(backend, row.id, 'curl') },
    ],
  };
}
