import { Copy } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useBackend } from '@/backend/backend';
import type { ModelNamesView, QualifiedName } from '@/backend/bindings';
import { IconButton } from '@/components/Button';
import { CodeText } from '@/components/CodeText';
import { EmptyState } from '@/components/EmptyState';
import { Glyph } from '@/components/Glyph';
import { Section } from '@/components/Section';
import { Segmented } from '@/components/Segmented';
import type { Column } from '@/components/virtual-table/columns';
import { copyText } from '@/lib/clipboard';
import { visibleText } from '@/lib/visible-text';
import { showError, showNote } from '@/state/notices';
import { useAnswer } from '@/widgets/use-answer';
import { Answered } from '../Answered';
import { cellText } from '../cells';
import styles from '../clients.module.css';
import { ListPage } from '../ListPage';
import { RowTable, textColumn } from '../RowTable';
import { SourceText } from '../SourceText';
import { StatusMark } from '../StatusMark';
import { type ClientScope, isOfAll } from '../scope';
import { KINDS, MODEL, NAME_WARNINGS, NAMES } from '../texts';
import { useFilter } from '../use-filter';
import { FindName } from './FindName';
import { type NameRow, nameRows, warningKinds } from './name-rows';

type Shown = 'all' | 'warnings';

/** The names that the client gives to what servers offer, and the way back. */
export function NamesSection({ scope }: { scope: ClientScope }) {
  const backend = useBackend();
  const { client, servers, revision } = scope;
  const answer = useAnswer(
    () =>
      backend.listModelNames(
        client.scheme,
        servers.map(({ id }) => id),
      ),
    [backend, client.scheme, revision],
  );
  return <Answered answer={answer}>{(view) => <Listed scope={scope} view={view} />}</Answered>;
}

const textOf = ({ name }: NameRow) => `${name.name} ${name.item} ${name.server}`;

function Listed({ scope, view }: { scope: ClientScope; view: ModelNamesView }) {
  const [shown, setShown] = useState<Shown>('all');
  const [selected, setSelected] = useState<number | null>(null);
  const rows = useMemo(() => nameRows(view), [view]);
  const warned = useMemo(() => rows.filter(({ isWarning }) => isWarning), [rows]);
  const { field, filter, drawn } = useFilter(NAMES.filter, shown === 'all' ? rows : warned, textOf);
  const columns = useMemo(() => columnsOf(isOfAll(scope)), [scope]);
  const absent = scope.servers.filter(({ id }) => view.notConnected.includes(id));
  return (
    <ListPage
      name="model-names"
      side={
        <>
          <FindName scope={scope} />
          <SelectedName name={selected === null ? null : (rows[selected]?.name ?? null)} />
          <Section title={NAMES.rules}>
            <p className="break-anywhere selectable text-small remark">
              <SourceText text={view.source} />
            </p>
          </Section>
        </>
      }
    >
      <div className="bar gap-4 min-w-0 h-bar pad-x-5 pad-y-0">
        {field}
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
        selected={selected}
        onSelect={setSelected}
        filter={filter}
        empty={
          shown === 'warnings' ? (
            <EmptyState title={NAMES.noWarnings}>{NAMES.noWarningsHint}</EmptyState>
          ) : (
            <EmptyState title={NAMES.none}>{NAMES.noneHint}</EmptyState>
          )
        }
      />
      {absent.length > 0 && (
        <p className={styles.foot}>
          {NAMES.notConnected(absent.map(({ name }) => visibleText(name)).join(', '))}
        </p>
      )}
    </ListPage>
  );
}

const SERVER = { id: 'server', title: MODEL.server, width: 130 };

function columnsOf(isAll: boolean): readonly Column<NameRow, undefined>[] {
  return [
    {
      id: 'kind',
      title: NAMES.kind,
      width: 76,
      yields: 2,
      cell: ({ name }) => <span className={styles.plain}>{KINDS[name.kind]}</span>,
    },
    ...(isAll ? [textColumn(SERVER, ({ name }: NameRow) => name.server)] : []),
    textColumn({ id: 'item', title: NAMES.item, width: 190 }, ({ name }) => name.item),
    textColumn(
      { id: 'name', title: NAMES.name, width: 240, takesRest: true },
      ({ name }) => name.name,
    ),
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

/** One name, with each of its warnings in full. */
function SelectedName({ name }: { name: QualifiedName | null }) {
  if (!name) {
    return (
      <Section title={NAMES.selected}>
        <p className="remark">{NAMES.chooseOne}</p>
      </Section>
    );
  }
  const copy = () => copyText(name.name).then(() => showNote(NAMES.copied), showError);
  return (
    <Section
      title={NAMES.selected}
      aside={
        <IconButton label={NAMES.copy} onPress={() => void copy()}>
          <Copy size={13} aria-hidden="true" />
        </IconButton>
      }
    >
      <p className={styles.name}>{visibleText(name.name.slice(0, MAX_SHOWN))}</p>
      <p className="remark">
        {KINDS[name.kind]} {NAMES.of(cellText(name.item), cellText(name.server))}
      </p>
      {name.warnings.length === 0 ? (
        <p className="remark">{NAMES.fine}</p>
      ) : (
        <ul className={styles.lines}>
          {name.warnings.slice(0, MAX_WARNINGS).map(({ kind, text }) => (
            <li key={`${kind} ${text}`} className={styles.warning}>
              <StatusMark status={NAME_WARNINGS[kind]} />
              <p>
                <CodeText text={visibleText(text)} />
              </p>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}

/** Characters of a name, and warnings about it, that are drawn. */
const MAX_SHOWN = 2_000;
const MAX_WARNINGS = 20;
