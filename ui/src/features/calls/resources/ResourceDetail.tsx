import { useCallback, useEffect, useMemo } from 'react';
import { useBackend } from '@/backend/backend';
import type { ItemView, ListKind, ServerView } from '@/backend/bindings';
import { Button, ToggleButton } from '@/components/Button';
import { EmptyState } from '@/components/EmptyState';
import { Switch } from '@/components/Switch';
import { visibleLines, visibleText } from '@/lib/visible-text';
import { useShowsDefinition } from '@/state/calls/asked-definition';
import { setReadsOnChange, useReadsOnChange } from '@/state/calls/read-on-change';
import {
  useMayHaveChanged,
  useResourceUpdates,
  useUpdatesSinceRead,
} from '@/state/calls/resource-updates';
import { isRunning, runIdOf, useRun } from '@/state/calls/runs';
import { startRun } from '@/state/calls/start-run';
import {
  isSubscribed,
  subscribe,
  unsubscribe,
  useSubscriptions,
} from '@/state/calls/subscriptions';
import { showError } from '@/state/notices';
import { isConnected } from '@/state/servers/servers';
import { saveRequest } from '@/state/tests/save-request';
import { ChangedNote } from '@/widgets/definition/ChangedNote';
import { DefinitionView } from '@/widgets/definition/DefinitionView';
import { DEFINITION } from '@/widgets/definition/texts';
import { useDefinitionChanges } from '@/widgets/definition/use-definition-changes';
import { useStartOnChoice } from '@/widgets/item-list/use-start-on-choice';
import { ResultPane } from '@/widgets/result/ResultPane';
import { RunButtons } from '@/widgets/result/RunButtons';
import { FreshnessNote } from './FreshnessNote';
import { readResource } from './resource-definition';
import styles from './resources.module.css';
import { RESOURCE } from './texts';

/** Milliseconds between a change and the read that follows it: changes may come in bursts. */
const READ_DELAY = 300;

interface Props {
  server: ServerView;
  uri: string;
  /** Absent for a URI that the server does not list, such as that of a link. */
  item: ItemView | undefined;
  /** True when the user chose it in the list. */
  isChosen: boolean;
}

/** One resource: what it is, and what reading it brought. */
export function ResourceDetail({ server, uri, item, isChosen }: Props) {
  const about = useMemo(() => readResource(item?.json), [item?.json]);
  return (
    <div className="pane">
      <header className={styles.head}>
        <div className="min-w-0">
          <h2 className={styles.uri}>{visibleText(uri)}</h2>
          <About about={about} />
          {!item && <p className="break-anywhere remark">{RESOURCE.notListed}</p>}
          {about.facts.length > 0 && <p className={styles.facts}>{about.facts.join(' · ')}</p>}
          {item?.problem && <p className="warn">▲ {item.problem}</p>}
        </div>
      </header>
      <Reading server={server} uri={uri} list="resources" item={item} isChosen={isChosen} />
    </div>
  );
}

/** The title and the description that the server gives, each on its line. */
export function About({ about }: { about: ReturnType<typeof readResource> }) {
  return [about.title, about.description].filter(Boolean).map((text) => (
    <p key={text} className="break-anywhere remark" dir="auto">
      {visibleLines(text ?? '')}
    </p>
  ));
}

interface ReadingProps {
  server: ServerView;
  uri: string;
  /** The list that it stands in, and its definition there. */
  list: ListKind;
  item: ItemView | undefined;
  isChosen?: boolean;
}

/** Reads one URI and shows its contents; subscribes to it. */
export function Reading({ server, uri, list, item, isChosen = false }: ReadingProps) {
  const backend = useBackend();
  const runId = runIdOf('resource', server.id, uri);
  const run = useRun(runId);
  const subscriptions = useSubscriptions();
  const subscribed = isSubscribed(subscriptions, server, uri);
  const updates = useUpdatesSinceRead(server.id, uri);
  const readsOnChange = useReadsOnChange(server.id, uri) && subscribed;

  const freshness = run?.report?.freshness ?? null;
  const mayHaveChanged = useMayHaveChanged(server.id, freshness?.readAt);
  const [showsDefinition, setShowsDefinition] = useShowsDefinition(server.id, list, uri);
  const changes = useDefinitionChanges(server.id, list, item);

  const begin = (how: 'open' | 'read', options?: { isAnew: boolean }) => {
    if (uri === '') return;
    useResourceUpdates.getState().reset(server.id, uri);
    setShowsDefinition(false);
    startRun(backend, server.id, { kind: 'resource', name: uri, how }, options);
  };
  const again = useCallback(
    () => startRun(backend, server.id, { kind: 'resource', name: uri, how: 'read' }),
    [backend, server.id, uri],
  );
  const call = useMemo(
    () => ({
      server: server.id,
      name: uri,
      method: 'resources/read',
      params: JSON.stringify({ uri }, null, 2),
    }),
    [server.id, uri],
  );
  const save = () => saveRequest(call.server, call.name, call.method, call.params);
  const toggle = () => {
    const change = subscribed ? unsubscribe : subscribe;
    void change(backend, server, uri).catch(showError);
  };
  // Before 2026-07-28 no answer says how long it holds: it stays, and says of when it is.
  const isModern = server.status.handshake?.era === 'modern';
  useStartOnChoice(isChosen && (isModern || run === undefined), () => {
    if (isConnected(server.id) && !isRunning(run)) begin('open');
  });
  const isOutdated = readsOnChange && updates > 0 && !isRunning(run);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what it reads is of the same moment.
  useEffect(() => {
    if (!isOutdated) return;
    const timer = setTimeout(() => begin('read'), READ_DELAY);
    return () => clearTimeout(timer);
  }, [isOutdated, uri]);
  return (
    <>
      <div className={styles.actions}>
        <Button isDisabled={uri === ''} onPress={toggle}>
          {subscribed ? RESOURCE.unsubscribe : RESOURCE.subscribe}
        </Button>
        {subscribed && (
          <Switch
            isSelected={readsOnChange}
            onChange={(isOn) => setReadsOnChange(server.id, uri, isOn)}
          >
            {RESOURCE.readOnChange}
          </Switch>
        )}
        {item && (
          <ToggleButton isSelected={showsDefinition} onChange={setShowsDefinition}>
            {DEFINITION.show}
          </ToggleButton>
        )}
        <span className="text-data busy" role="status">
          {updates > 0 && RESOURCE.updates(updates, run !== undefined)}
          {updates === 0 && subscribed && RESOURCE.subscribed}
        </span>
        <RunButtons
          server={server.id}
          run={run}
          title={run ? RESOURCE.readAgain : RESOURCE.read}
          isBlocked={uri === ''}
          onRun={(options) => begin('read', options)}
          onSave={save}
        />
      </div>
      {!showsDefinition && changes && (
        <div className="flex-none pad-x-7 pad-y-2 edge-bottom">
          <ChangedNote changes={changes} onShow={() => setShowsDefinition(true)} />
        </div>
      )}
      {showsDefinition && item ? (
        <div className={styles.definition}>
          <DefinitionView json={item.json} changes={changes} />
        </div>
      ) : (
        <div className="fill">
          <ResultPane
            run={run}
            server={server.id}
            name={uri}
            again={again}
            call={call}
            note={
              freshness && (
                <FreshnessNote freshness={freshness} hasChanged={updates > 0 || mayHaveChanged} />
              )
            }
          >
            <EmptyState title={RESOURCE.notRead}>{RESOURCE.notReadHint}</EmptyState>
          </ResultPane>
        </div>
      )}
    </>
  );
}
