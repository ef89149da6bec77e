import { Activity, type ReactNode, useRef } from 'react';
import { useBackend } from '@/backend/backend';
import type { ListKind, ServerId, ServerView } from '@/backend/bindings';
import { Button } from '@/components/Button';
import { EmptyState } from '@/components/EmptyState';
import { visibleText } from '@/lib/visible-text';
import { useLists } from '@/state/calls/lists';
import { useNavigation } from '@/state/navigation';
import { connect } from '@/state/servers/connecting';
import { isUnderWay, phaseLabel } from '@/state/servers/phases';
import { ABSENT } from './texts';

interface Props {
  server: ServerView;
  /** At least one of these has to be offered. */
  lists: readonly ListKind[];
  /** The name of its items: "tools". */
  noun: string;
  children: ReactNode;
}

/**
 * Shows a list once there can be one; until then says why there is none and what to do. A list that
 * was shown is kept behind that as the user left it, for when the server is back.
 */
export function ConnectedList({ children, ...props }: Props) {
  const absence = useAbsence(props);
  const shown = useRef<ServerId>(undefined);
  const { id } = props.server;
  if (absence === null) shown.current = id;
  return (
    <>
      {absence}
      {shown.current === id && (
        <Activity key={id} mode={absence === null ? 'visible' : 'hidden'}>
          {children}
        </Activity>
      )}
    </>
  );
}

/** Returns what says why there is no list; null where there can be one. */
function useAbsence({ server, lists, noun }: Omit<Props, 'children'>): ReactNode {
  const backend = useBackend();
  const open = useNavigation((state) => state.open);
  const known = useLists((state) => state.byServer[server.id]);
  const changes = lists.flatMap((list) => known?.[list] ?? []);
  const { phase, failure } = server.status;
  const isConnected = phase === 'ready' || phase === 'executing';
  const hasItems = changes.some((change) => change.count > 0);
  if (hasItems && (isConnected || isUnderWay(phase))) return null;

  if (isUnderWay(phase)) {
    return (
      <EmptyState title={phaseLabel(phase)}>
        {ABSENT.notReady(visibleText(server.name), noun)}
      </EmptyState>
    );
  }
  if (!isConnected) {
    return failure ? (
      <EmptyState
        title={ABSENT.failed(visibleText(failure.reason))}
        action={
          <Button variant="primary" onPress={() => open({ server: server.id, tab: 'overview' })}>
            {ABSENT.showCause}
          </Button>
        }
      >
        {failure.hint.text}
      </EmptyState>
    ) : (
      <EmptyState
        title={ABSENT.notConnected(visibleText(server.name))}
        action={
          <Button variant="primary" onPress={() => connect(backend, server.id)}>
            {ABSENT.connect}
          </Button>
        }
      >
        {ABSENT.connectToSee(noun)}
      </EmptyState>
    );
  }
  if (changes.length > 0 && changes.every(({ state }) => state.type === 'unsupported')) {
    return (
      <EmptyState title={ABSENT.unsupported(noun)}>
        {ABSENT.notDeclared(visibleText(server.name), noun)}
      </EmptyState>
    );
  }
  return null;
}
