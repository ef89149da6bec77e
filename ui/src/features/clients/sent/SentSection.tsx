import { useMemo, useState } from 'react';
import { useBackend } from '@/backend/backend';
import type { ModelClientView, Provider, SentListView, SentRowView } from '@/backend/bindings';
import { EmptyState } from '@/components/EmptyState';
import { ListDetail } from '@/components/list-detail/ListDetail';
import { Segmented } from '@/components/Segmented';
import { Select } from '@/components/Select';
import type { Column } from '@/components/virtual-table/columns';
import { useInClients } from '@/state/clients/in-clients';
import { useAnswer } from '@/widgets/use-answer';
import { Answered } from '../Answered';
import { cellText } from '../cells';
import styles from '../clients.module.css';
import { RowTable, textColumn } from '../RowTable';
import { SourceText } from '../SourceText';
import { StatusMark } from '../StatusMark';
import { type ClientScope, isOfAll } from '../scope';
import { CHANGES, MODEL, PROVIDERS, SENT } from '../texts';
import { useFilter } from '../use-filter';
import { ChangeList } from './ChangeList';
import { Portability } from './Portability';
import { SentTool } from './SentTool';

type View = 'tools' | 'portability';

/** The tools as a model interface gets them, and the faults that they have on their way. */
export function SentSection({ scope }: { scope: ClientScope }) {
  const [view, setView] = useState<View>('tools');
  const { client } = scope;
  const provider = useInClients((state) => state.providers[client.client]) ?? client.provider;
  return (
    <div className="pane">
      <div className="bar gap-4 min-w-0 h-bar pad-x-5 pad-y-0">
        <Segmented
          label={SENT.view}
          segments={[
            { value: 'tools', label: SENT.tools },
            { value: 'portability', label: SENT.portability },
          ]}
          value={view}
          onChange={setView}
        />
        {view === 'tools' && <ProviderChoice client={client} provider={provider} />}
      </div>
      <div className="fill">
        {view === 'tools' ? (
          <SentTools key={provider} scope={scope} provider={provider} />
        ) : (
          <Portability scope={scope} />
        )}
      </div>
    </div>
  );
}

function ProviderChoice({ client, provider }: { client: ModelClientView; provider: Provider }) {
  const choose = useInClients((state) => state.chooseProvider);
  return (
    <Select
      label={SENT.provider}
      hideLabel
      className={styles.provider}
      choices={PROVIDERS}
      value={provider}
      onChange={(next) => choose(client.client, next)}
    />
  );
}

const PANES = [
  { id: 'tools', size: 340, min: 220, keepsPixels: true },
  { id: 'tool', min: 320 },
] as const;

/** The tools of a list as they are sent, and one of them beside its original. */
function SentTools({ scope, provider }: { scope: ClientScope; provider: Provider }) {
  const backend = useBackend();
  const { client, connected, revision } = scope;
  const answer = useAnswer(
    () => backend.getSentToolList([...connected], provider, client.scheme),
    [backend, revision, provider, client.scheme],
  );
  return <Answered answer={answer}>{(view) => <Listed scope={scope} view={view} />}</Answered>;
}

/** A tool with its place in the list. */
interface SentRow {
  index: number;
  tool: SentRowView;
  server: string;
}

const textOf = ({ tool }: SentRow) => `${tool.name} ${tool.sentName}`;

function Listed({ scope, view }: { scope: ClientScope; view: SentListView }) {
  const [selected, setSelected] = useState(0);
  const { servers, connected } = scope;
  const rows = useMemo(() => {
    const names = connected.map((id) => servers.find((server) => server.id === id)?.name ?? '');
    return view.tools.map((tool, index) => ({ index, tool, server: names[tool.server] ?? '' }));
  }, [view, servers, connected]);
  const { field, filter, drawn } = useFilter(SENT.filter, rows, textOf);
  const columns = useMemo(() => columnsOf(isOfAll(scope)), [scope]);
  const row = rows[selected] ?? rows[0];
  const server = row && connected[row.tool.server];
  return (
    <ListDetail name="model-sent" panes={PANES}>
      <div className="pane">
        <div className="bar gap-4 min-w-0 h-bar pad-x-5 pad-y-0">{field}</div>
        <RowTable
          label={SENT.list}
          columns={columns}
          rows={drawn}
          selected={row?.index ?? null}
          onSelect={setSelected}
          filter={filter}
          empty={<EmptyState title={SENT.none}>{SENT.noneHint}</EmptyState>}
        />
        <div className={styles.foot}>
          {view.changes.length > 0 && <ChangeList changes={view.changes} />}
          {SENT.convertedBy} <SourceText text={view.converter} />
        </div>
      </div>
      {row && server !== undefined ? (
        <SentTool
          key={`${server} ${row.tool.name}`}
          scope={scope}
          server={server}
          tool={row.tool.name}
          provider={view.provider}
        />
      ) : (
        <EmptyState title={SENT.choose}>{SENT.chooseHint}</EmptyState>
      )}
    </ListDetail>
  );
}

const SERVER = { id: 'server', title: MODEL.server, width: 100 };

function columnsOf(isAll: boolean): readonly Column<SentRow, undefined>[] {
  return [
    ...(isAll ? [textColumn(SERVER, (row: SentRow) => row.server)] : []),
    {
      id: 'tool',
      title: MODEL.tool,
      width: 140,
      takesRest: true,
      cell: ({ tool }) => <span title={cellText(tool.sentName)}>{cellText(tool.name)}</span>,
    },
    {
      id: 'changes',
      title: SENT.changes,
      width: 132,
      cell: ({ tool }) =>
        tool.worst === null ? (
          <span className="remark">{SENT.unchanged}</span>
        ) : (
          <StatusMark status={CHANGES[tool.worst]} text={SENT.changeCount(tool.changes)} />
        ),
    },
  ];
}
