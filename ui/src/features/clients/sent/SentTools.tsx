import { useDeferredValue, useMemo, useRef, useState } from 'react';
import { useBackend } from '@/backend/backend';
import type { Provider, SentListView, SentRowView } from '@/backend/bindings';
import { EmptyState } from '@/components/EmptyState';
import { ListDetail } from '@/components/list-detail/ListDetail';
import { SearchField } from '@/components/SearchField';
import type { Column } from '@/components/virtual-table/columns';
import { visibleText } from '@/lib/visible-text';
import { useAction } from '@/state/actions';
import { cellText, filtered } from '../cells';
import styles from '../clients.module.css';
import { RowTable } from '../RowTable';
import { SourceText } from '../SourceText';
import { StatusMark } from '../StatusMark';
import { type ClientScope, isOfAll } from '../scope';
import { CHANGES, MODEL, SENT } from '../texts';
import { useAnswer } from '../use-answer';
import { ChangeList } from './ChangeList';
import { SentTool } from './SentTool';

const PANES = [
  { id: 'tools', size: 340, min: 220, keepsPixels: true },
  { id: 'tool', min: 320 },
] as const;

interface SentToolsProps {
  scope: ClientScope;
  provider: Provider;
}

/** The tools of a list as they are sent, and one of them beside its original. */
export function SentTools({ scope, provider }: SentToolsProps) {
  const backend = useBackend();
  const { client, connected, revision } = scope;
  const { value, problem } = useAnswer(
    () => backend.getSentToolList([...connected], provider, client.scheme),
    [backend, revision, provider, client.scheme],
  );
  if (problem !== null) return <EmptyState title={visibleText(problem)} />;
  if (!value) return <EmptyState title={MODEL.asking} />;
  return <Listed scope={scope} view={value} />;
}

/** A tool with its place in the list. */
interface SentRow {
  index: number;
  tool: SentRowView;
  server: string;
}

function Listed({ scope, view }: { scope: ClientScope; view: SentListView }) {
  const [filter, setFilter] = useState('');
  const wanted = useDeferredValue(filter);
  const [selected, setSelected] = useState(0);
  const search = useRef<HTMLInputElement>(null);
  useAction('filter.focus', () => search.current?.select());
  const { servers, connected } = scope;
  const rows = useMemo(() => {
    const names = connected.map((id) => servers.find((server) => server.id === id)?.name ?? '');
    return view.tools.map((tool, index) => ({ index, tool, server: names[tool.server] ?? '' }));
  }, [view, servers, connected]);
  const drawn = useMemo(
    () => filtered(rows, wanted, ({ tool }) => `${tool.name} ${tool.sentName}`),
    [rows, wanted],
  );
  const columns = useMemo(() => columnsOf(isOfAll(scope)), [scope]);
  const row = rows[selected] ?? rows[0];
  const server = row && connected[row.tool.server];
  return (
    <ListDetail name="model-sent" panes={PANES}>
      <div className="pane">
        <div className="bar gap-4 min-w-0 h-bar pad-x-5 pad-y-0">
          <SearchField
            label={SENT.filter}
            className={styles.search}
            value={filter}
            onChange={setFilter}
            inputRef={search}
          />
        </div>
        <RowTable
          label={SENT.list}
          columns={columns}
          rows={drawn}
          rowKey={({ index }) => index}
          selected={row?.index ?? null}
          onSelect={({ index }) => setSelected(index)}
          empty={
            wanted.trim() === '' ? (
              <EmptyState title={SENT.none}>{SENT.noneHint}</EmptyState>
            ) : (
              <EmptyState title={MODEL.noMatch(wanted)} />
            )
          }
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

function columnsOf(isAll: boolean): readonly Column<SentRow, undefined>[] {
  const server: Column<SentRow, undefined> = {
    id: 'server',
    title: MODEL.server,
    width: 100,
    cell: (row) => cellText(row.server),
  };
  return [
    ...(isAll ? [server] : []),
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
