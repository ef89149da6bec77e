import {
  type FocusEvent,
  type KeyboardEvent,
  useDeferredValue,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { EmptyState } from '@/components/EmptyState';
import { useVirtualRows } from '@/components/use-virtual-rows';
import { useNavigation } from '@/state/navigation';
import { useServer } from '@/state/servers/servers';
import { useConfiguration } from '@/state/setup/configuration';
import { useSetupView } from '@/state/setup/setup-view';
import { ConfigToolbar } from '../ConfigToolbar';
import { BrokenFiles, brokenFilesOf, NoRows } from '../grid/GridNotes';
import { type Cursor, moveOfKey } from '../grid/grid-keys';
import { ColumnHead } from './ColumnHead';
import { useLackOnly } from './differences';
import { MatrixDetail } from './MatrixDetail';
import { Row } from './MatrixRow';
import styles from './matrix.module.css';
import { isShown, type MatrixRow, matrixColumns, matrixRows, type Show } from './matrix-rows';
import { Profiles } from './Profiles';
import { MATRIX } from './texts';
import { useSwitch } from './use-switch';
import { useHeldServers, useTokens } from './use-tokens';

const ROW_HEIGHT = 32;
/** Rows drawn above and below those that are seen. */
const OVERSCAN = 6;

/**
 * Each server once, with a switch for each client. Of any number the rows in view are drawn. One of
 * the controls is a stop of the Tab key; the arrow keys lead to the others.
 */
export function Matrix() {
  const view = useConfiguration((state) => state.view);
  const [filter, setFilter] = useState('');
  const [show, setShow] = useState<Show>('all');
  const wanted = useDeferredValue(filter);
  const columns = useMemo(() => matrixColumns(view), [view]);
  const all = useMemo(() => matrixRows(columns, ''), [columns]);
  const found = useMemo(
    () => (wanted.trim() === '' ? all : matrixRows(columns, wanted)),
    [all, columns, wanted],
  );
  const held = useHeldServers();
  const lackOnly = useLackOnly(all);
  const rows = useMemo(
    () => found.filter((row) => isShown(row, show, held, lackOnly)),
    [found, show, held, lackOnly],
  );
  const broken = useMemo(() => brokenFilesOf(view, null), [view]);
  const tokens = useTokens(columns);
  const explained = useSetupView((state) => state.explained);
  const lookedAt = useServer(useNavigation((state) => state.server))?.name;
  const pane = useRef<HTMLDivElement>(null);
  const [cursor, setCursor] = useState<Cursor>({ row: 0, column: 0 });

  const count = (kind: Show) => all.filter((row) => isShown(row, kind, held, lackOnly)).length;
  const chosen =
    rows.find(({ name }) => name === explained) ??
    rows.find(({ name }) => name === lookedAt) ??
    rows[0];
  return (
    <div ref={pane} className="stack fill min-w-0 h-full">
      {all.length > 0 && (
        <ConfigToolbar
          label={MATRIX.filter}
          filter={filter}
          onFilter={setFilter}
          kinds={{
            all: MATRIX.all(all.length),
            attention: MATRIX.attention(count('attention')),
            differ: MATRIX.differ(count('differ')),
          }}
          show={show}
          onShow={setShow}
          onLeave={() =>
            pane.current?.querySelector<HTMLElement>('[data-cell][tabindex="0"]')?.focus()
          }
        >
          <Profiles columns={columns} />
        </ConfigToolbar>
      )}
      <BrokenFiles files={broken} />
      {all.length === 0 ? (
        <NoRows
          isFiltered={false}
          isBroken={broken.length > 0}
          of={columns.map(({ title }) => title)}
          onClear={() => {}}
        />
      ) : rows.length === 0 ? (
        <EmptyState title={MATRIX.none} />
      ) : (
        <Table
          columns={columns}
          rows={rows}
          search={wanted}
          tokens={tokens}
          chosen={chosen?.name}
          cursor={cursor}
          onCursor={setCursor}
        />
      )}
      {chosen && (
        <MatrixDetail
          key={chosen.name}
          row={chosen}
          columns={columns}
          column={columns[cursor.column - 1]}
          tokens={tokens}
        />
      )}
    </div>
  );
}

interface TableProps {
  columns: ReturnType<typeof matrixColumns>;
  rows: readonly MatrixRow[];
  search: string;
  tokens: ReturnType<typeof useTokens>;
  /** The server that is explained. */
  chosen: string | undefined;
  cursor: Cursor;
  onCursor: (cursor: Cursor) => void;
}

function Table({ columns, rows, search, tokens, chosen, cursor, onCursor }: TableProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const wantsFocus = useRef(false);
  const flip = useSwitch();
  const explain = useSetupView((state) => state.explain);
  const virtualizer = useVirtualRows(scroller, rows.length, ROW_HEIGHT, OVERSCAN);
  const drawn = virtualizer.getVirtualItems();
  const before = drawn[0]?.start ?? 0;
  const after = virtualizer.getTotalSize() - (drawn.at(-1)?.end ?? 0);
  // The row stays with the server that is explained when rows come and go.
  const index = rows.findIndex(({ name }) => name === chosen);
  const at: Cursor = {
    row: cursor.row < 0 ? -1 : Math.max(0, index),
    column: Math.min(cursor.column, columns.length + 1),
  };

  // What is moved to may have to be scrolled into view and drawn first.
  useEffect(() => {
    if (!wantsFocus.current) return;
    const control = scroller.current?.querySelector<HTMLElement>(
      `[data-cell="${at.row} ${at.column}"]`,
    );
    if (!control) return;
    wantsFocus.current = false;
    control.focus();
  });
  // A server that is chosen from elsewhere is seen.
  useEffect(() => {
    if (index >= 0) virtualizer.scrollToIndex(index);
  }, [virtualizer, index]);

  const onKeyDown = (event: KeyboardEvent) => {
    if (!(event.target as Element).closest('[data-cell]')) return;
    const height = scroller.current?.clientHeight ?? ROW_HEIGHT;
    const next = moveOfKey(event, at, {
      first: -1,
      rows: rows.length,
      columns: columns.length + 2,
      page: Math.max(1, Math.floor(height / ROW_HEIGHT) - 2),
    });
    if (!next) return;
    event.preventDefault();
    wantsFocus.current = true;
    onCursor(next.row < 0 ? { ...next, column: Math.min(next.column, columns.length) } : next);
    const row = rows[next.row];
    if (row) explain(row.name);
  };
  const onFocus = (event: FocusEvent) => {
    const place = (event.target as Element).closest<HTMLElement>('[data-cell]')?.dataset.cell;
    if (place === undefined || wantsFocus.current) return;
    const [row = 0, column = 0] = place.split(' ').map(Number);
    onCursor({ row, column });
    const name = rows[row]?.name;
    if (name !== undefined) explain(name);
  };

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys of the controls inside bubble
    <div ref={scroller} className={styles.scroller} onKeyDown={onKeyDown} onFocus={onFocus}>
      <table
        // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: the arrow keys walk it.
        role="grid"
        aria-label={MATRIX.label}
        aria-rowcount={rows.length + 1}
        aria-colcount={columns.length + 2}
      >
        <thead>
          <tr>
            <th scope="col" className={styles.server}>
              {MATRIX.server}
              <small className={styles.remark}>{MATRIX.extent(rows.length, columns.length)}</small>
            </th>
            {columns.map((column, place) => (
              <ColumnHead
                key={column.client}
                column={column}
                cell={`-1 ${place + 1}`}
                isCurrent={at.row === -1 && at.column === place + 1}
                tokens={tokens.get(column.client)}
              />
            ))}
            <th scope="col">
              <span className="visually-hidden">{MATRIX.sync}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {before > 0 && <Gap height={before} columns={columns.length + 2} />}
          {drawn.map(({ index: place }) => {
            const row = rows[place];
            return (
              row && (
                <Row
                  key={row.name}
                  row={row}
                  index={place}
                  columns={columns}
                  search={search}
                  isChosen={row.name === chosen}
                  currentColumn={at.row === place ? at.column : null}
                  onFlip={flip}
                />
              )
            );
          })}
          {after > 0 && <Gap height={after} columns={columns.length + 2} />}
        </tbody>
      </table>
    </div>
  );
}

/** Takes the room of the rows that are out of sight. */
function Gap({ height, columns }: { height: number; columns: number }) {
  return (
    <tr>
      <td colSpan={columns} style={{ height, padding: 0 }} />
    </tr>
  );
}
