import type { Edge, Operation } from '@/backend/bindings';
import type { Column } from '@/components/virtual-table/columns';
import { visibleText } from '@/lib/visible-text';
import {
  DirectionCell,
  MomentCell,
  ServerCell,
  type TrafficFrame,
  WaterfallBar,
} from '../messages/TrafficCells';
import { exitText, useCrash } from '../rows/crash';
import { RecordTable, type RecordTableProps, type RowKind } from '../rows/RecordTable';
import { barLook, durationOf } from '../rows/row-words';
import { BookmarkMark, BookmarkNote, StatusCell, StatusText } from '../rows/StatusCell';
import { COLUMNS } from '../texts';
import type { OperationLine, OperationRows } from './operation-rows';
import { OPERATIONS, operationStatus, PART_KINDS, partsText } from './operation-texts';
import { durationText, personBars, personTime, timeOf, timeText } from './operation-time';
import styles from './operations.module.css';

/** Pixels by which each level of a tree is indented. */
const INDENT = 16;

/** A method, at its place in the tree, with the mark that opens or folds what is beneath. */
export function OperationMethod({ line: { row, node, isOpen } }: { line: OperationLine }) {
  const depth = node?.depth ?? 0;
  return (
    <span
      className={styles.method}
      style={{ paddingLeft: depth * INDENT }}
      data-part={node !== null || undefined}
    >
      {isOpen === null ? (
        <span className={styles.leaf} />
      ) : (
        <span
          className={styles.fold}
          data-fold={isOpen ? 'open' : 'closed'}
          title={isOpen ? OPERATIONS.close : OPERATIONS.open}
          aria-hidden="true"
        >
          {isOpen ? '▾' : '▸'}
        </span>
      )}
      {visibleText(row.method)}
    </span>
  );
}

/** The parts of an operation; for one of them, which it is. */
export function OperationParts({ line: { summary, node } }: { line: OperationLine }) {
  if (summary) return <Summary operation={summary} />;
  return node?.edge ? <EdgeLabel edge={node.edge} label={PART_KINDS[node.edge.kind]} /> : null;
}

function Summary({ operation }: { operation: Operation }) {
  const crash = useCrash(operation.root);
  const text = [partsText(operation), crash && exitText(crash)].filter(Boolean).join(' · ');
  return (
    <span className={styles.words} title={text}>
      {operation.lateResult && (
        <span className="warn" title={OPERATIONS.lateMeaning}>
          {OPERATIONS.lateResult}
          {text !== '' && ' · '}
        </span>
      )}
      {text}
      {!operation.sure && <InferredMark meaning={OPERATIONS.inferredParts} />}
    </span>
  );
}

/** The kind of a link, and a mark where it is inferred. */
export function EdgeLabel({ edge, label }: { edge: Edge; label: string }) {
  return (
    <span className={styles.words}>
      {label}
      {edge.certainty === 'inferred' && <InferredMark meaning={OPERATIONS.inferredMeaning} />}
    </span>
  );
}

/** A dashed ring beside what is inferred. */
function InferredMark({ meaning }: { meaning: string }) {
  return (
    <span className={styles.inferred} title={meaning}>
      <span className="visually-hidden">{OPERATIONS.inferred}</span>
    </span>
  );
}

/** The status of an operation, or of one of its rows. */
export function OperationStatus({ line: { row, summary } }: { line: OperationLine }) {
  return summary ? <OperationStatusText operation={summary} /> : <StatusCell row={row} />;
}

/** The status of the whole of an operation. */
export function OperationStatusText({ operation }: { operation: Operation }) {
  return <StatusText status={operationStatus(operation, useCrash(operation.root) !== null)} />;
}

/** The duration; of an operation, with the time that a person took of it. */
export function OperationDuration({ line, now }: { line: OperationLine; now: number }) {
  const { row, summary } = line;
  if (!summary) return durationOf(row, now);
  const isShared = personTime(summary, now) > 0;
  if (!isShared) return durationText(summary, now);
  const text = timeText(summary, now);
  return (
    <span title={text}>
      <span className={styles.swatch} aria-hidden="true" />
      <span aria-hidden="true">{durationText(summary, now)}</span>
      <span className="visually-hidden">{text}</span>
    </span>
  );
}

/** The time of a line among those on the screen. The part that a person took is hatched. */
export function OperationBar({ line, frame }: { line: OperationLine; frame: TrafficFrame }) {
  const { row, summary } = line;
  if (!summary) return <WaterfallBar time={row} look={barLook(row)} frame={frame} />;
  const status = operationStatus(summary);
  const isOver = summary.outcome !== 'pending' && summary.outcome !== 'none';
  return (
    <WaterfallBar
      time={timeOf(summary)}
      look={isOver ? (status?.tone ?? 'none') : summary.outcome}
      frame={frame}
    >
      {personBars(summary, frame.scale, frame.now).map(({ left, width }) => (
        <span
          key={left}
          className={styles.person}
          title={OPERATIONS.person}
          style={{ left: `${left * 100}%`, width: `${width * 100}%` }}
        />
      ))}
    </WaterfallBar>
  );
}

/** The columns of operations, of which a narrow window shows fewer. */
export const OPERATION_COLUMNS: readonly Column<OperationLine, TrafficFrame>[] = [
  { id: 'number', title: COLUMNS.number, width: 68, yields: 3, cell: ({ row }) => row.id },
  {
    id: 'direction',
    title: '',
    label: COLUMNS.direction,
    width: 24,
    isFixed: true,
    cell: ({ row }) => <DirectionCell row={row} />,
  },
  {
    id: 'time',
    title: COLUMNS.time,
    width: 116,
    yields: 5,
    cell: ({ row }, frame) => <MomentCell row={row} now={frame.now} />,
  },
  {
    id: 'server',
    title: COLUMNS.server,
    width: 110,
    yields: 4,
    cell: ({ row, node }) => (node ? null : <ServerCell row={row} />),
  },
  {
    id: 'method',
    title: OPERATIONS.method,
    width: 210,
    cell: (line) => <OperationMethod line={line} />,
  },
  {
    id: 'target',
    title: COLUMNS.target,
    width: 110,
    takesRest: true,
    cell: ({ row }) => {
      const target = visibleText(row.target);
      return (
        <span title={target}>
          <BookmarkMark note={row.bookmark} />
          {target}
          <BookmarkNote note={row.bookmark} />
        </span>
      );
    },
  },
  {
    id: 'parts',
    title: OPERATIONS.parts,
    width: 160,
    yields: 1,
    cell: (line) => <OperationParts line={line} />,
  },
  {
    id: 'status',
    title: COLUMNS.status,
    width: 104,
    cell: (line) => <OperationStatus line={line} />,
  },
  {
    id: 'duration',
    title: COLUMNS.duration,
    width: 84,
    align: 'end',
    yields: 2,
    cell: (line, frame) => <OperationDuration line={line} now={frame.now} />,
  },
  {
    id: 'waterfall',
    title: COLUMNS.waterfall,
    indent: 14,
    width: 230,
    yields: 6,
    cell: (line, frame) => <OperationBar line={line} frame={frame} />,
  },
];

interface OperationTableProps extends RecordTableProps {
  readonly rows: OperationRows;
}

/** The operations, each of which opens into the tree of its rows. */
export function OperationTable({ rows, ...common }: OperationTableProps) {
  /** Moves as in any tree: right opens and goes in, left folds and goes out. */
  const press = (line: OperationLine, key: string, moveTo: (index: number) => void) => {
    if (key === 'ArrowRight' && line.isOpen === false) rows.unfold(line);
    else if (key === 'ArrowRight' && line.isOpen) {
      const at = rows.lineOf(line);
      if (at !== null) moveTo(at + 1);
    } else if (key === 'ArrowLeft' && line.isOpen) rows.fold(line);
    else if (key === 'ArrowLeft') {
      const above = rows.parentOf(line);
      if (above !== null) moveTo(above);
    } else return false;
    return true;
  };
  return <RecordTable kind={LINES} source={rows} list={rows.list} onKey={press} {...common} />;
}

const LINES: RowKind<OperationLine> = {
  label: OPERATIONS.label,
  columns: OPERATION_COLUMNS,
  widths: 'traffic.operation-columns',
  rowOf: ({ row }) => row,
  timeOf: ({ row, summary }) => (summary ? timeOf(summary) : row),
  callOf: () => null,
  treeOf: ({ node, isOpen }) => ({ level: (node?.depth ?? 0) + 1, isOpen }),
};
