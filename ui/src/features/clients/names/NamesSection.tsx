import { useDeferredValue, useMemo, useRef, useState } from 'react';
import { useBackend } from '@/backend/backend';
import type { ModelNamesView } from '@/backend/bindings';
import { EmptyState } from '@/components/EmptyState';
import { Glyph } from '@/components/Glyph';
import { ListDetail } from '@/components/list-detail/ListDetail';
import { SearchField } from '@/components/SearchField';
import { Section } from '@/components/Section';
import { Segmented } from '@/components/Segmented';
import type { Column } from '@/components/virtual-table/columns';
import { visibleText } from '@/lib/visible-text';
import { useAction } from '@/state/actions';
import { Connected } from '../Connected';
import { cellText, filtered } from '../cells';
import styles from '../clients.module.css';
import { RowTable } from '../RowTable';
import { SourceText } from '../SourceText';
import { type ClientScope, isOfAll } from '../scope';
import { KINDS, MODEL, NAME_WARNINGS, NAMES } from '../texts';
import { useAnswer } from '../use-answer';
import { FindName } from './FindName';
import { type NameRow, nameRows, warningKinds } from './name-rows';
import { SelectedName } from './SelectedName';

const PANES = [
  { id: 'names', min: 320 },
  { id: 'name', size: 340, min: 240, keepsPixels: true },
] as const;

type Shown = 'all' | 'warnings';

/** The names that the client gives to what servers offer, and the way back. */
export function NamesSection({ scope }: { scope: ClientScope }) {
  return (
    <Connected scope={scope} takesAll>
      <Names scope={scope} />
    </Connected>
  );
}

function Names({ scope }: { scope: ClientScope }) {
  const backend = useBackend();
  const { client, servers, revision } = scope;
  const { value, problem } = useAnswer(
    () =>
      backend.listModelNames(
        client.scheme,
        servers.map(({ id }) => id),
      ),
    [backend, client.scheme, revision],
  );
  if (problem !== null) return <EmptyState title={visibleText(problem)} />;
  if (!value) return <EmptyState title={MODEL.asking} />;
  return <Listed scope={scope} view={value} />;
}

function Listed({ scope, view }: { scope: ClientScope; view: ModelNamesView }) {
  const [filter, setFilter] = useState('');
  const wanted = useDeferredValue(filter);
  const [shown, setShown] = useState<Shown>('all');
  const [selected, setSelected] = useState<number | null>(null);
  const search = useRef<HTMLInputElement>(null);
  useAction('filter.focus', () => search.current?.select());
  const rows = useMemo(() => nameRows(view), [view]);
  const warned = useMemo(() => rows.filter(({ isWarning }) => isWarning), [rows]);
  const drawn = useMemo(
    () =>
      filtered(
        shown === 'all' ? rows : warned,
        wanted,
        ({ name }) => `${name.name} ${name.item} ${name.server}`,
      ),
    [rows, warned, shown, wanted],
  );
  const columns = useMemo(() => columnsOf(isOfAll(scope)), [scope]);
  const absent = scope.servers.filter(({ id }) => view.notConnected.includes(id));
  return (
    <ListDetail name="model-names" panes={PANES}>
      <div className="pane">
        <div className="bar gap-4 min-w-0 h-bar pad-x-5 pad-y-0">
          <SearchField
            label={NAMES.filter}
            className={styles.search}
            value={filter}
            onChange={setFilter}
            inputRef={search}
          />
          <Segmented
            label={NAMES.shown}
            segments={[
              { value: 'all', label: NAMES.all },
              { value: 'warnings', label: NAMES.withWarnings(warned.length) },
            ]}
            value={shown}
            onChange={setShown}
          />
        </div>
        <RowTable
          label={NAMES.list}
          columns={columns}
          rows={drawn}
          rowKey={({ index }) => index}
          selected={selected}
          onSelect={({ index }) => setSelected(index)}
          empty={<Nothing filter={wanted} isOfWarnings={shown === 'warnings'} />}
        />
        {absent.length > 0 && (
          <p className={styles.foot}>
            {NAMES.notConnected(absent.map(({ name }) => visibleText(name)).join(', '))}
          </p>
        )}
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls */}
      <div className={styles.side} tabIndex={0}>
        <FindName scope={scope} />
        <SelectedName name={selected === null ? null : (rows[selected]?.name ?? null)} />
        <Section title={NAMES.rules}>
          <p className="break-anywhere selectable text-small remark">
            <SourceText text={view.source} />
          </p>
        </Section>
      </div>
    </ListDetail>
  );
}

function Nothing({ filter, isOfWarnings }: { filter: string; isOfWarnings: boolean }) {
  if (filter.trim() !== '') return <EmptyState title={MODEL.noMatch(filter)} />;
  return isOfWarnings ? (
    <EmptyState title={NAMES.noWarnings}>{NAMES.noWarningsHint}</EmptyState>
  ) : (
    <EmptyState title={NAMES.none}>{NAMES.noneHint}</EmptyState>
  );
}

function columnsOf(isAll: boolean): readonly Column<NameRow, undefined>[] {
  const server: Column<NameRow, undefined> = {
    id: 'server',
    title: MODEL.server,
    width: 130,
    cell: ({ name }) => cellText(name.server),
  };
  return [
    {
      id: 'kind',
      title: NAMES.kind,
      width: 76,
      yields: 2,
      cell: ({ name }) => <span className={styles.plain}>{KINDS[name.kind]}</span>,
    },
    ...(isAll ? [server] : []),
    {
      id: 'item',
      title: NAMES.item,
      width: 190,
      cell: ({ name }) => <span title={cellText(name.item)}>{cellText(name.item)}</span>,
    },
    {
      id: 'name',
      title: NAMES.name,
      width: 240,
      takesRest: true,
      cell: ({ name }) => <span title={cellText(name.name)}>{cellText(name.name)}</span>,
    },
    {
      id: 'notes',
      title: NAMES.notes,
      width: 170,
      yields: 1,
      cell: ({ name }) => <Notes row={name} />,
    },
  ];
}

function Notes({ row }: { row: NameRow['name'] }) {
  const [first, ...others] = warningKinds(row);
  if (!first) return null;
  const { glyph, tone, label } = NAME_WARNINGS[first];
  const words = [label, ...others.map((kind) => NAME_WARNINGS[kind].label.toLowerCase())];
  return (
    <span className={styles.mark} data-tone={tone} title={words.join(', ')}>
      <Glyph glyph={glyph} tone={tone} />
      {words.join(', ')}
    </span>
  );
}
