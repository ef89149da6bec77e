import type { Edge, Operation } from '@/backend/bindings';
import { visibleText } from '@/lib/visible-text';
import { type TrafficFrame, WaterfallBar } from '../messages/TrafficCells';
import { barLook, durationOf } from '../rows/row-words';
import { StatusCell, StatusText } from '../rows/StatusCell';
import type { OperationLine } from './operation-rows';
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
  const text = partsText(operation);
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
  return summary ? <StatusText status={operationStatus(summary)} /> : <StatusCell row={row} />;
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
