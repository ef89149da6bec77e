import type { ComponentType } from 'react';
import type { Client } from '@/backend/bindings';
import { useConfigView } from '@/state/setup/config-view';
import { useConfiguration } from '@/state/setup/configuration';
import { ClientFiles } from './ClientFiles';
import { EditorPane } from './edit/EditorPane';
import { Matrix } from './matrix/Matrix';
import { SetupHeader } from './SetupHeader';

interface SetupViewProps {
  /** Tells what the model of a client gets, which is another area. */
  ClientGets: ComponentType<{ client: Client }>;
}

/**
 * The matrix of servers and clients, and behind the head of a client its files and what it gets.
 */
export default function SetupView({ ClientGets }: SetupViewProps) {
  const editing = useConfigView((state) => state.editing);
  const client = useConfigView((state) => state.client);
  const page = useConfigView((state) => state.page);
  const isKnown = useConfiguration(({ view }) => view.clients.length > 0);
  return (
    <div className="pane">
      <SetupHeader />
      {editing ? (
        <EditorPane key={JSON.stringify(editing)} editing={editing} />
      ) : client === null ? (
        isKnown && <Matrix />
      ) : page === 'gets' ? (
        <ClientGets client={client} />
      ) : (
        <ClientFiles key={client} client={client} />
      )}
    </div>
  );
}
