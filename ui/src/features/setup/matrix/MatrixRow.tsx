import { memo } from 'react';
import { Button } from '@/components/Button';
import { classes } from '@/components/classes';
import { Glyph } from '@/components/Glyph';
import { Highlight } from '@/components/Highlight';
import { Tooltip } from '@/components/Tooltip';
import { formatTokens } from '@/lib/format';
import { visibleText } from '@/lib/visible-text';
import { useList } from '@/state/calls/lists';
import { showDialog } from '@/state/dialogs';
import { conditionTone, conditionWord } from '@/state/servers/obstacle';
import { ConditionGlyph } from '@/widgets/ConditionGlyph';
import { cellNote } from './cell-notes';
import { type Difference, useDifferences } from './differences';
import styles from './matrix.module.css';
import { type MatrixColumn, type MatrixRow, switchAction } from './matrix-rows';
import { MATRIX, NOTE } from './texts';
import type { useSwitch } from './use-switch';
import { useRowServer } from './use-tokens';

interface RowProps {
  row: MatrixRow;
  index: number;
  columns: readonly MatrixColumn[];
  search: string;
  /** True if it is explained below. */
  isChosen: boolean;
  /** The column that the keyboard is at, if it is at this row. */
  currentColumn: number | null;
  onFlip: ReturnType<typeof useSwitch>;
}

/** A server in all clients. */
export const Row = memo(function Row(props: RowProps) {
  const { row, index, columns, search, isChosen, currentColumn, onFlip } = props;
  const name = visibleText(row.name);
  const server = useRowServer(row);
  const differences = useDifferences(row);
  const isWaiting = [...row.cells.values()].some(({ source }) => source.state.type === 'waiting');
  const tone = server ? conditionTone(server) : 'idle';
  // The word of the sidebar beside the glyph of the sidebar.
  const word = server && tone !== 'idle' ? conditionWord(server) : isWaiting ? NOTE.approve : null;
  const sum = useList(server?.id ?? '', 'tools')?.tokens ?? 0;
  const at = (column: number) => ({
    'data-cell': `${index} ${column}`,
    tabIndex: currentColumn === column ? 0 : -1,
  });
  return (
    <tr aria-rowindex={index + 2} aria-selected={isChosen}>
      <th scope="row" className={styles.server} title={`${name}\n${visibleText(row.summary)}`}>
        <span className={styles.title}>
          <button type="button" className={styles.name} {...at(0)}>
            {isWaiting && tone === 'idle' ? (
              <Glyph glyph="▲" tone="warn" />
            ) : server ? (
              <ConditionGlyph server={server} />
            ) : (
              <Glyph glyph="○" tone="idle" />
            )}
            <bdi className="truncate">
              <Highlight text={name} search={search} />
            </bdi>
          </button>
          {word !== null ? (
            <span className={classes(styles.cost, tone === 'bad' ? tone : 'warn')} title={word}>
              {word}
            </span>
          ) : (
            sum > 0 && <span className={classes(styles.cost, 'faint')}>{formatTokens(sum)}</span>
          )}
        </span>
      </th>
      {columns.map((column, place) => (
        <td key={column.client}>
          <Cell
            row={row}
            column={column}
            differences={differences.get(column.client)}
            at={at(place + 1)}
            onFlip={onFlip}
          />
        </td>
      ))}
      <td>
        <Tooltip text={MATRIX.syncHint(name)}>
          <Button
            variant="quiet"
            aria-label={MATRIX.syncNamed(name)}
            tabIndex={currentColumn === columns.length + 1 ? undefined : -1}
            data-cell={`${index} ${columns.length + 1}`}
            onPress={() => showDialog({ kind: 'config-sync', from: row.from, name: row.name })}
          >
            {MATRIX.sync}
          </Button>
        </Tooltip>
      </td>
    </tr>
  );
});

interface CellProps {
  row: MatrixRow;
  column: MatrixColumn;
  differences: readonly Difference[] | undefined;
  /** Its place, for the arrow keys. */
  at: { 'data-cell': string; tabIndex: number };
  onFlip: ReturnType<typeof useSwitch>;
}

function Cell({ row, column, differences, at, onFlip }: CellProps) {
  const cell = row.cells.get(column.client);
  const note = cellNote(row, column, differences);
  const action = switchAction(row, column);
  const isUsable = cell?.state !== 'invalid' && cell?.state !== 'refused';
  const remark = note.short && (
    <span className={classes(styles.note, note.tone)} aria-hidden="true">
      {note.short}
    </span>
  );
  return (
    <span className={styles.cell} title={note.sentence}>
      <button
        type="button"
        role="switch"
        aria-checked={cell?.state === 'on'}
        aria-label={MATRIX.inClient(visibleText(row.name), column.title)}
        aria-description={note.sentence}
        aria-disabled={action === null || !isUsable || undefined}
        className={classes(styles.switch, !cell && styles.absent)}
        onClick={() => action && isUsable && onFlip(action)}
        {...at}
      >
        <span className={styles.track}>
          <span className={styles.thumb} />
        </span>
      </button>
      {remark}
    </span>
  );
}
