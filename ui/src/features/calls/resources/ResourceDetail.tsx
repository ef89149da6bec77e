import { useCallback, useEffect, useMemo, useRef } from 'react';
import { useBackend } from '@/backend/backend';
import type { Freshness, ItemView, ListKind, ServerView } from '@/backend/bindings';
import { Button } from '@/components/Button';
import { EmptyState } from '@/components/EmptyState';
import { Switch } from '@/components/Switch';
import { useRemaining } from '@/components/use-remaining';
import { formatDuration, formatSecond, formatSize } from '@/lib/format';
import { readMembers } from '@/lib/json/members';
import { titleOf } from '@/lib/schema/describe';
import { expandTemplate, templateVariables } from '@/lib/uri-template/uri-template';
import { visibleLines, visibleText } from '@/lib/visible-text';
import { useAction } from '@/state/actions';
import { useValues } from '@/state/calls/drafts';
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
import { saveCall } from '@/state/tests/save-request';
import { CompletionField } from '@/widgets/completion-field/CompletionField';
import { useDefinition } from '@/widgets/definition/use-definition';
import { useStartOnChoice } from '@/widgets/item-list/use-item';
import { annotationText } from '@/widgets/result/Block';
import { ResultPane } from '@/widgets/result/ResultPane';
import { RunButtons } from '@/widgets/result/RunButtons';
import styles from './resources.module.css';
import { FRESHNESS, RESOURCE } from './texts';

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
  const definition = useDefinition(server.id, list, uri, item);

  const begin = (how: 'open' | 'read', options?: { isAnew: boolean }) => {
    if (uri === '') return;
    useResourceUpdates.getState().reset(server.id, uri);
    definition.hide();
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
  const save = () => saveCall(call);
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
        {definition.button}
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
      {definition.note && (
        <div className="flex-none pad-x-7 pad-y-2 edge-bottom">{definition.note}</div>
      )}
      {definition.view ? (
        <div className={styles.definition}>{definition.view}</div>
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

interface FreshnessNoteProps {
  freshness: Freshness;
  /** True if the server said since then that it changed, or may have. */
  hasChanged: boolean;
}

/** Says when what is shown was read, and whether it still holds. */
function FreshnessNote({ freshness, hasChanged }: FreshnessNoteProps) {
  const { readAt, freshUntil: until, scope, fromCache: isKept } = freshness;
  const seconds = useRemaining(until);
  const time = formatSecond(readAt);
  const isFresh = !hasChanged && seconds > 0;
  const state = hasChanged
    ? FRESHNESS.changed
    : until === null
      ? FRESHNESS.notTold
      : isFresh
        ? FRESHNESS.freshFor(formatRemaining(seconds))
        : FRESHNESS.expired;
  return (
    <p
      className={styles.freshness}
      data-state={isFresh ? 'fresh' : until === null && !hasChanged ? 'untold' : 'stale'}
      title={scope === null ? undefined : FRESHNESS.scope[scope]}
    >
      <span aria-hidden="true">{isFresh ? '✓' : until === null && !hasChanged ? '○' : '▲'}</span>{' '}
      {isKept ? FRESHNESS.kept(time) : FRESHNESS.read(time)} · {state}
    </p>
  );
}

function formatRemaining(seconds: number): string {
  return seconds < 60 ? `${seconds} s` : formatDuration(seconds * 1000);
}

/** The shown parts of a resource or a template (MCP, Resource and ResourceTemplate). */
interface ResourceDefinition {
  title: string | undefined;
  description: string | undefined;
  /** MIME type, size and annotations, where the server gives them. */
  facts: string[];
}

export function readResource(json: string | undefined): ResourceDefinition {
  const raw = readMembers(json ?? '');
  const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined);
  const annotations = raw.annotations ? annotationText(JSON.stringify(raw.annotations)) : '';
  return {
    title: text(raw.title) ?? text(raw.name),
    description: text(raw.description),
    facts: [
      text(raw.mimeType),
      typeof raw.size === 'number' ? formatSize(raw.size) : undefined,
      annotations || undefined,
    ].filter((fact) => fact !== undefined),
  };
}

interface TemplateDetailProps {
  server: ServerView;
  template: string;
  item: ItemView | undefined;
}

/** One template: its variables, the URI they give, and what reading that brought. */
export function TemplateDetail({ server, template, item }: TemplateDetailProps) {
  const head = useRef<HTMLElement>(null);
  const about = useMemo(() => readResource(item?.json), [item?.json]);
  const names = useMemo(() => templateVariables(template), [template]);
  const [values, setValues] = useValues(`${server.id}\ntemplate\n${template}`);
  const uri = expandTemplate(template, values);
  const missing = names.filter((name) => !values[name]);
  useAction('arguments.focus', () => head.current?.querySelector('input')?.focus());
  return (
    <div className="pane">
      <header ref={head} className={styles.head}>
        <div className="min-w-0">
          <h2 className={styles.uri}>{visibleText(template)}</h2>
          <About about={about} />
          {about.facts.length > 0 && <p className={styles.facts}>{about.facts.join(' · ')}</p>}
          {item?.problem && <p className="warn">▲ {item.problem}</p>}
          <div className={styles.variables}>
            {names.map((name) => (
              <CompletionField
                key={name}
                server={server.id}
                reference={{ type: 'template', uri: template }}
                name={name}
                title={titleOf({}, name)}
                isRequired={false}
                value={values[name]}
                others={Object.entries(values).filter(([other]) => other !== name)}
                onChange={(value) => setValues((before) => ({ ...before, [name]: value }))}
              />
            ))}
          </div>
          <p className="mt-5 break-anywhere">
            <span className={styles.facts}>{RESOURCE.uri}</span> <code>{uri}</code>
          </p>
          {missing.length > 0 && (
            <p className={styles.facts}>{RESOURCE.withoutValue(missing.map(visibleText))}</p>
          )}
        </div>
      </header>
      <Reading key={uri} server={server} uri={uri} list="resourceTemplates" item={item} />
    </div>
  );
}
