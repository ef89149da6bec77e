import type { ReactNode } from 'react';
import { EmptyState } from '@/components/EmptyState';
import { visibleText } from '@/lib/visible-text';
import { useLists } from '@/state/calls/lists';
import { ConnectedList } from '@/widgets/item-list/ConnectedList';
import { type ClientScope, isOfAll } from './scope';
import { MODEL } from './texts';

const TOOLS = ['tools'] as const;

interface ConnectedProps {
  scope: ClientScope;
  /** True where prompts and resources count too. */
  takesAll?: boolean;
  children: ReactNode;
}

/** Shows what needs connected servers; until there are some, says what to do. */
export function Connected({ scope, takesAll = false, children }: ConnectedProps) {
  const [server] = scope.servers;
  if (server && !isOfAll(scope)) {
    return (
      <ConnectedList
        server={server}
        lists={takesAll ? ['tools', 'prompts', 'resources'] : TOOLS}
        noun={takesAll ? MODEL.nounOfAll : MODEL.noun}
      >
        <Warnings scope={scope} />
        {children}
      </ConnectedList>
    );
  }
  if (!server) {
    return (
      <EmptyState title={MODEL.noServers(scope.client.title)}>{MODEL.noServersHint}</EmptyState>
    );
  }
  if (scope.connected.length === 0) {
    return <EmptyState title={MODEL.noneConnected}>{MODEL.noneConnectedHint}</EmptyState>;
  }
  return (
    <>
      <Warnings scope={scope} />
      {children}
    </>
  );
}

/** Warnings about the lists of tools. All that is told then is of the part that was read. */
function Warnings({ scope: { servers, connected } }: { scope: ClientScope }) {
  const byServer = useLists((state) => state.byServer);
  return servers.map(({ id, name }) => {
    const warning = connected.includes(id) ? byServer[id]?.tools?.warning : null;
    return (
      warning && (
        <p key={id} className="flex-none pad-x-6 pad-y-3 break-anywhere edge-bottom warn">
          <span aria-hidden="true">▲</span> {MODEL.listWarning(visibleText(name))}{' '}
          {visibleText(warning)}
        </p>
      )
    );
  });
}
