import type { ComponentType } from 'react';
import type { Client } from '@/backend/bindings';
import { useConfiguration } from '@/state/setup/configuration';
import { useSetupView } from '@/state/setup/setup-view';
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
  const editing = useSetupView((state) => state.editing);
  const client = useSetupView((state) => state.client);
  const page = useSetupView((state) => state.page);
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
