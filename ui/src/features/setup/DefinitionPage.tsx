import { useMemo } from 'react';
import type { ServerView } from '@/backend/bindings';
import { CommandLine } from '@/components/CommandLine';
import { EmptyState } from '@/components/EmptyState';
import { useConfiguration } from '@/state/setup/configuration';
import { isEdited, serverKey, useSetupView } from '@/state/setup/setup-view';
import { EditorPane } from './edit/EditorPane';
import { ServerExplanation } from './explain/ServerExplanation';
import { rowsOf } from './grid/file-rows';
import { SETUP } from './texts';

/**
 * The place of a server's definition, the reason why that one counts, and what differs in the
 * others; its editor while it is edited.
 */
export function DefinitionPage({ server }: { server: ServerView }) {
  const view = useConfiguration((state) => state.view);
  const client = server.target?.client ?? 'mcp-json';
  const row = useMemo(
    () => rowsOf(view, client).find(({ key }) => key === serverKey(client, server.name)),
    [view, client, server.name],
  );
  const editing = useSetupView((state) => state.editing);
  if (editing && isEdited(server, editing)) {
    return <EditorPane key={JSON.stringify(editing)} editing={editing} />;
  }
  if (server.target === null) {
    return (
      <EmptyState title={server.origin === 'tried' ? SETUP.tried : SETUP.builtIn}>
        <p>{server.origin === 'tried' ? SETUP.triedHint : SETUP.builtInHint}</p>
        <CommandLine className="block mt-3 selectable text-1" text={server.summary} />
      </EmptyState>
    );
  }
  return row ? <ServerExplanation row={row} isEmbedded /> : null;
}
