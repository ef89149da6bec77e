import { MoreHorizontal } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useBackend } from '@/backend/backend';
import { Button, IconButton } from '@/components/Button';
import { EmptyState } from '@/components/EmptyState';
import { ListDetail } from '@/components/list-detail/ListDetail';
import { Menu } from '@/components/Menu';
import { RunButton } from '@/components/RunButton';
import { SearchField } from '@/components/SearchField';
import { Select } from '@/components/Select';
import { useAsyncEffect } from '@/components/use-async-effect';
import { formatDuration } from '@/lib/format';
import { visibleText } from '@/lib/visible-text';
import { showDialog } from '@/state/dialogs';
import { useNavigation } from '@/state/navigation';
import { showError } from '@/state/notices';
import { isConnected, useLiveServers, useServer, useServers } from '@/state/servers/servers';
import { runRequests, useRequestFiles, writeStubs } from '@/state/tests/request-files';
import { verdictCounts } from '@/widgets/findings/texts';
import { SourceDialog } from '@/widgets/SourceDialog';
import { ApproveRunDialog } from './ApproveRunDialog';
import { RequestDetail } from './RequestDetail';
import { RequestTree } from './RequestTree';
import styles from './tests.module.css';
import { NEW_REQUEST, REQUESTS } from './texts';
import { matching, tagsOf } from './tree';

const PANES = [
  { id: 'tree', size: 300, min: 200, keepsPixels: true },
  { id: 'request', min: 300 },
] as const;

/** Stands for no environment and for no tag: a choice has to have a value. */
const NONE = '';

const openNew = () => showDialog({ kind: 'new-request' });

/** The requests of the project: which there are, what each is, and how they went. */
export default function TestsView() {
  const backend = useBackend();
  const view = useRequestFiles((state) => state.view);
  const replace = useRequestFiles((state) => state.replace);
  useAsyncEffect(
    () => ({ start: () => backend.getRequests(), onValue: replace, onError: showError }),
    [backend, replace],
  );
  const [search, setSearch] = useState('');
  const [tag, setTag] = useState<string | null>(null);
  const requests = view?.requests ?? [];
  const shown = useMemo(() => matching(view?.requests ?? [], search, tag), [view, search, tag]);
  if (!view) return null;
  return (
    <div className={styles.view}>
      <Header
        shown={shown.map(({ path }) => path)}
        isAll={shown.length === requests.length}
        tags={tagsOf(requests)}
        tag={tag}
        onTag={setTag}
      />
      <States />
      {view.problem !== null && <p className={styles.failure}>✕ {view.problem}</p>}
      {requests.length === 0 ? (
        <EmptyState
          title={REQUESTS.noneTitle}
          action={
            <>
              <GoToTool />
              <Button onPress={openNew}>{NEW_REQUEST.title}</Button>
              <Stubs />
            </>
          }
        >
          <p>{REQUESTS.none}</p>
          <p>
            {REQUESTS.noneFiles} <code>{visibleText(view.directory)}</code>. {REQUESTS.noneCommand}{' '}
            <code>{REQUESTS.command}</code>.
          </p>
        </EmptyState>
      ) : (
        <ListDetail name="requests" panes={PANES}>
          <div className="pane">
            <div className="bar h-bar pad-x-5 pad-y-0">
              <SearchField
                label={REQUESTS.search}
                className={styles.search}
                value={search}
                onChange={setSearch}
              />
            </div>
            <RequestTree requests={shown} isSearch={search !== ''} />
          </div>
          <RequestDetail />
        </ListDetail>
      )}
      <ApproveRunDialog />
    </div>
  );
}

interface HeaderProps {
  shown: readonly string[];
  isAll: boolean;
  tags: readonly string[];
  tag: string | null;
  onTag(tag: string | null): void;
}

function Header({ shown, isAll, tags, tag, onTag }: HeaderProps) {
  const backend = useBackend();
  const environments = useRequestFiles((state) => state.view?.environments) ?? [];
  const environment = useRequestFiles((state) => state.environment);
  const choose = useRequestFiles((state) => state.chooseEnvironment);
  const run = useRequestFiles((state) => state.run);
  const connected = useLiveServers();
  // What is selected has its own button.
  const isAlone = useRequestFiles(({ selected, folder }) => selected === null && folder === null);
  const [isWatching, setWatching] = useState(false);
  const selection = { paths: isAll ? [] : [...shown], tag: null, server: null };
  const start = (update: boolean) => void runRequests(backend, { selection, update });
  return (
    <header className={styles.header}>
      <h1 className="flex-none text-title">{REQUESTS.title}</h1>
      {run && <Totals />}
      <span className="flex-1" />
      <Narrow
        label={REQUESTS.tag}
        none={REQUESTS.allTags}
        names={tags}
        value={tag}
        onChange={onTag}
      />
      <Narrow
        label={REQUESTS.environment}
        none={REQUESTS.noEnvironment}
        names={environments}
        value={environment}
        onChange={choose}
      />
      {(run?.isRunning || shown.length > 0) && (
        <RunButton
          isPrimary={isAlone}
          isRunning={run?.isRunning ?? false}
          label={isAll ? REQUESTS.runAll : REQUESTS.runShown(shown.length)}
          onRun={() => start(false)}
          onStop={() => run && void backend.stopRequestRun(run.id).catch(showError)}
        />
      )}
      <Menu
        label={REQUESTS.more}
        trigger={<IconButton icon={MoreHorizontal} label={REQUESTS.more} />}
        groups={[
          shown.length > 0 && !run?.isRunning
            ? [
                { id: 'update', title: REQUESTS.updateSnapshots, run: () => start(true) },
                { id: 'watch', title: REQUESTS.watch, run: () => setWatching(true) },
              ]
            : [],
          connected.map(({ id, name }) => ({
            id: `stubs ${id}`,
            title: REQUESTS.stubs(visibleText(name)),
            run: () => void writeStubs(backend, id),
          })),
          [
            { id: 'new', title: NEW_REQUEST.title, run: openNew },
            {
              id: 'open-folder',
              title: REQUESTS.openFolder,
              run: () => void backend.chooseRequestsFolder().catch(showError),
            },
          ],
        ].filter((group) => group.length > 0)}
      />
      {isWatching && (
        <SourceDialog
          title={REQUESTS.watch}
          meaning={REQUESTS.watchMeaning}
          verb={REQUESTS.watchStart}
          onClose={() => setWatching(false)}
          onStart={(watch) => {
            setWatching(false);
            void runRequests(backend, { selection, update: false, watch });
          }}
        />
      )}
    </header>
  );
}

interface NarrowProps {
  label: string;
  /** The words for none of the names. */
  none: string;
  names: readonly string[];
  value: string | null;
  onChange(name: string | null): void;
}

/** The choice of one of some names, or of none; nothing where there are no names. */
function Narrow({ label, none, names, value, onChange }: NarrowProps) {
  if (names.length === 0) return null;
  const choices = names.map((name) => ({ value: name, label: name }));
  return (
    <Select
      label={label}
      hideLabel
      className={styles.choice}
      value={value ?? NONE}
      choices={[{ value: NONE, label: none }, ...choices]}
      onChange={(name) => onChange(name === NONE ? null : name)}
    />
  );
}

/** Leads to where a test is made of a result: in the server looked at last, or in a connected one. */
function GoToTool() {
  const last = useServer(useNavigation((state) => state.server));
  const [connected] = useLiveServers();
  const first = useServers((state) => state.servers[0]);
  const server = last && isConnected(last.id) ? last : (connected ?? last ?? first);
  if (!server) return null;
  return (
    <Button
      variant="primary"
      onPress={() => useNavigation.getState().open({ server: server.id, tab: 'tools' })}
    >
      {REQUESTS.goToTool}
    </Button>
  );
}

/** Writes a request for each tool of a connected server. */
function Stubs() {
  const backend = useBackend();
  return useLiveServers().map(({ id, name }) => (
    <Button key={id} onPress={() => void writeStubs(backend, id)}>
      {REQUESTS.stubs(visibleText(name))}
    </Button>
  ));
}

/** Says that the tests are those of another folder, or that source is watched, and ends that. */
function States() {
  const backend = useBackend();
  const watched = useRequestFiles((state) => state.watched);
  const opened = useRequestFiles((state) => (state.view?.isOpened ? state.view.directory : null));
  const states = [
    opened !== null && {
      words: REQUESTS.opened(opened),
      end: REQUESTS.showProject,
      run: () => backend.showProjectRequests(),
    },
    watched !== null && {
      words: REQUESTS.watching(watched),
      end: REQUESTS.stopWatching,
      run: () => backend.stopWatch(),
    },
  ].filter((state) => state !== false);
  return states.map(({ words, end, run }) => (
    <p key={end} className={styles.watched} role="status">
      <span className={styles.name}>{words}</span>
      <Button variant="quiet" onPress={() => void run().catch(showError)}>
        {end}
      </Button>
    </p>
  ));
}

/** The verdicts of the last run, or of the one under way. */
function Totals() {
  const run = useRequestFiles((state) => state.run);
  if (!run) return null;
  const { totals } = run;
  const done = Object.values(totals).reduce((sum, count) => sum + count, 0);
  return (
    <p className={styles.totals} role="status">
      {run.problem !== null ? (
        <span className={styles.bad}>✕ {run.problem}</span>
      ) : (
        <>
          {verdictCounts(totals).map(({ verdict, words }) => (
            <span key={verdict} data-verdict={verdict}>
              {words}
            </span>
          ))}
          <span className="text-small faint">
            {run.report === null
              ? `${done} of ${run.paths.length}`
              : formatDuration(run.report.duration)}
          </span>
        </>
      )}
    </p>
  );
}
