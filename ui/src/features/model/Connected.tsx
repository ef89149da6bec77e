import type { ReactNode } from 'react';
import { EmptyState } from '@/components/EmptyState';
import { ConnectedList } from '@/widgets/item-list/ConnectedList';
import { isOfAll, type ModelScope } from './scope';
import { MODEL } from './texts';

const TOOLS = ['tools'] as const;

interface ConnectedProps {
  scope: ModelScope;
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
  return children;
}
