import { useVirtualizer } from '@tanstack/react-virtual';
import { memo, useDeferredValue, useMemo, useRef, useState } from 'react';
import { Button } from '@/components/Button';
import { classes } from '@/components/classes';
import { EmptyState } from '@/components/EmptyState';
import { Highlight } from '@/components/Highlight';
import { SearchField } from '@/components/SearchField';
import { visibleText } from '@/lib/visible-text';
import { useAction } from '@/state/actions';
import { useDialogs } from '@/state/dialogs';
import { useConfiguration } from '@/state/setup/configuration';
import configStyles from '../config-view.module.css';
import { Profiles } from './Profiles';
import {
  canHave,
  type SwitchColumn,
  type SwitchRow,
  switchAction,
  switchColumns,
  switchRows,
} from './switch-rows';
import styles from './switches.module.css';
import { SWITCHES } from './texts';
import { useSwitch } from './use-switch';

const ROW_HEIGHT = 30;
/** Rows drawn above and below those that are seen. */
const OVERSCAN = 6;

/** Each server once, with a switch for each client. Of any number the rows in view are drawn. */
export function Switches() {
  const view = useConfiguration((state) => state.view);
  const [filter, setFilter] = useState('');
  const wanted = useDeferredValue(filter);
  const columns = useMemo(() => switchColumns(view), [view]);
  const rows = useMemo(() => switchRows(columns, wanted), [columns, wanted]);
  const search = useRef<HTMLInputElement>(null);
  const scroller = useRef<HTMLDivElement>(null);
  const flip = useSwitch();
  useAction('filter.focus', () => search.current?.select());
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: OVERSCAN,
    useFlushSync: false,
  });
  const drawn = virtualizer.getVirtualItems();
  const before = drawn[0]?.start ?? 0;
  const after = virtualizer.getTotalSize() - (drawn.at(-1)?.end ?? 0);
  return (
    <div className="stack fill min-w-0 h-full">
      <div className="bar gap-4 min-h-bar pad-x-6 pad-y-2">
        <SearchField
          label={SWITCHES.filter}
          placeholder={SWITCHES.filterHint}
          className={configStyles.search}
          value={filter}
          onChange={setFilter}
          inputRef={search}
        />
        <span className="flex-1" />
        <Profiles columns={columns} />
      </div>
      {rows.length === 0 ? (
        <EmptyState title={SWITCHES.none}>{null}</EmptyState>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard
        <div ref={scroller} className={styles.scroller} tabIndex={0}>
          <table aria-label={SWITCHES.label} aria-rowcount={rows.length + 1}>
            <thead>
              <tr>
                <th scope="col" className={styles.server}>
                  {SWITCHES.server}
                </th>
                {columns.map(({ client, title }) => (
                  <th key={client} scope="col" title={title}>
                    {title}
                  </th>
                ))}
                <th scope="col">
                  <span className="visually-hidden">{SWITCHES.sync}</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {before > 0 && <Gap height={before} columns={columns.length + 2} />}
              {drawn.map(({ index }) => {
                const row = rows[index];
                return (
                  row && (
                    <Row
                      key={row.name}
                      row={row}
                      index={index}
                      columns={columns}
                      search={wanted}
                      onFlip={flip}
                    />
                  )
                );
              })}
              {after > 0 && <Gap height={after} columns={columns.length + 2} />}
            </tbody>
          </table>
        </div>
      )}
      <p className="flex-none pad-x-6 pad-y-3 edge-top text-small faint">{SWITCHES.explain}</p>
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

interface RowProps {
  row: SwitchRow;
  index: number;
  columns: readonly SwitchColumn[];
  search: string;
  onFlip: ReturnType<typeof useSwitch>;
}

const Row = memo(function Row({ row, index, columns, search, onFlip }: RowProps) {
  const name = visibleText(row.name);
  return (
    <tr aria-rowindex={index + 2}>
      <th scope="row" className={styles.server} title={`${name}\n${visibleText(row.summary)}`}>
        <bdi>
          <Highlight text={name} search={search} />
        </bdi>
        <span>{visibleText(row.summary)}</span>
      </th>
      {columns.map((column) => (
        <td key={column.client}>
          <Cell row={row} column={column} onFlip={onFlip} />
        </td>
      ))}
      <td>
        <Button
          variant="quiet"
          aria-label={SWITCHES.syncNamed(name)}
          onPress={() =>
            useDialogs.getState().show({ kind: 'config-sync', from: row.from, name: row.name })
          }
        >
          {SWITCHES.sync}
        </Button>
      </td>
    </tr>
  );
});

interface CellProps {
  row: SwitchRow;
  column: SwitchColumn;
  onFlip: ReturnType<typeof useSwitch>;
}

function Cell({ row, column, onFlip }: CellProps) {
  const cell = row.cells.get(column.client);
  if (cell?.state === 'invalid' || cell?.state === 'refused') {
    return (
      <span className="bad" title={SWITCHES[cell.state]}>
        {cell.state === 'invalid' ? '✕' : '⊘'}
        <span className="visually-hidden">{SWITCHES[cell.state]}</span>
      </span>
    );
  }
  const action = switchAction(row, column);
  const isOn = cell?.state === 'on';
  const remark = cell?.differs
    ? SWITCHES.differs
    : !cell && !canHave(row, column)
      ? SWITCHES.cannot(column.title)
      : undefined;
  return (
    <button
      type="button"
      role="switch"
      aria-checked={isOn}
      aria-label={SWITCHES.inClient(visibleText(row.name), column.title)}
      aria-description={remark}
      title={remark}
      disabled={action === null}
      className={classes(styles.switch, !cell && styles.absent)}
      onClick={() => action && onFlip(action)}
    >
      <span className={styles.track}>
        <span className={styles.thumb} />
      </span>
      {cell?.differs && (
        <span className={styles.differs} aria-hidden="true">
          ≠
        </span>
      )}
    </button>
  );
}
