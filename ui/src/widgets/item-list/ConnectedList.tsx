import { Activity, type ReactNode, useDeferredValue, useLayoutEffect, useRef } from 'react';
import { useBackend } from '@/backend/backend';
import type { ListChange, ListKind, ServerId, ServerView } from '@/backend/bindings';
import { Button } from '@/components/Button';
import { EmptyState } from '@/components/EmptyState';
import { formatSecond } from '@/lib/format';
import { visibleText } from '@/lib/visible-text';
import { useLists } from '@/state/calls/lists';
import { useNavigation } from '@/state/navigation';
import { connect } from '@/state/servers/connecting';
import { isLive, isUnderWay, phaseLabel } from '@/state/servers/phases';
import styles from './item-list.module.css';
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
 * Shows a list: that of the connection, or, greyed, the one that was seen last. Where there is none,
 * says why, and what to do. A list that was shown is kept behind that as the user left it.
 */
export function ConnectedList({ children, ...props }: Props) {
  const { id } = props.server;
  const absent = useAbsence(props);
  // The panes beside a list are drawn in pieces, while what stands there for now stays.
  const drawn = useDeferredValue(absent);
  const absence = useDeferredValue(id) === id ? drawn : absent;
  const shown = useRef<ServerId>(undefined);
  const isHidden = absence !== null;
  if (!isHidden) shown.current = id;
  const frame = useRef<HTMLDivElement>(null);
  /** The element that had the focus when the list was hidden. */
  const left = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    const { activeElement, body } = document;
    if (!isHidden && activeElement === body) left.current?.focus();
    left.current =
      isHidden && frame.current?.contains(activeElement) ? (activeElement as HTMLElement) : null;
  }, [isHidden]);
  return (
    <>
      {absence}
      {shown.current === id && (
        <Activity key={id} mode={isHidden ? 'hidden' : 'visible'}>
          <div
            ref={(element) => {
              // Taken away as soon as it is hidden, when it is still asked for.
              if (element) frame.current = element;
            }}
            className="pane"
          >
            <LastSeen {...props} />
            <div className="fill">{children}</div>
          </div>
        </Activity>
      )}
    </>
  );
}

/** The state of the lists that are shown. */
function useStates({ server, lists }: Pick<Props, 'server' | 'lists'>): readonly ListChange[] {
  const known = useLists((state) => state.byServer[server.id]);
  return lists.flatMap((list) => known?.[list] ?? []);
}

/** Says of a list that is not the connection's of when it is, and offers to connect. */
function LastSeen({ server, lists }: Omit<Props, 'children'>) {
  const { phase, failure, since } = server.status;
  const [state] = useStates({ server, lists }).filter(({ count }) => count > 0);
  if (isLive(phase) || isUnderWay(phase) || !state) return null;
  return (
    <div role="status" className={styles.lastSeen}>
      <p className="ellipsis">
        {failure ? ABSENT.failed(visibleText(failure.reason)) : ABSENT.disconnected}
      </p>
      <p className="push flex-none figures">{ABSENT.asOf(formatSecond(state.asOf ?? since))}</p>
      <WayOut server={server} variant="quiet" />
    </div>
  );
}

/** Leads to the reason of a failure, else connects. */
function WayOut({ server, variant }: { server: ServerView; variant: 'primary' | 'quiet' }) {
  const backend = useBackend();
  const { open } = useNavigation.getState();
  const { id, status } = server;
  return status.failure ? (
    <Button variant={variant} onPress={() => open({ server: id, tab: 'overview' })}>
      {ABSENT.showCause}
    </Button>
  ) : (
    <Button variant={variant} onPress={() => connect(backend, id)}>
      {ABSENT.connect}
    </Button>
  );
}

/** Returns what says why there is no list; null where there is one. */
function useAbsence({ server, lists, noun }: Omit<Props, 'children'>): ReactNode {
  const changes = useStates({ server, lists });
  const { phase, failure } = server.status;
  if (changes.some((change) => change.count > 0)) return null;
  if (isUnderWay(phase)) {
    return (
      <EmptyState title={phaseLabel(phase)}>
        {ABSENT.notReady(visibleText(server.name), noun)}
      </EmptyState>
    );
  }
  if (!isLive(phase)) {
    return (
      <EmptyState
        title={
          failure
            ? ABSENT.failed(visibleText(failure.reason))
            : ABSENT.notConnected(visibleText(server.name))
        }
        action={<WayOut server={server} variant="primary" />}
      >
        {failure ? failure.hint.text : ABSENT.connectToSee(noun)}
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
