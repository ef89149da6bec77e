import { useRef } from 'react';
import {
  Header,
  ListBox,
  ListBoxItem,
  ListBoxSection,
  ListLayout,
  Virtualizer,
} from 'react-aria-components';
import type { Causality, ExchangeId, Operation, RelatedRow } from '@/backend/bindings';
import { asCommandError } from '@/backend/error';
import { Button } from '@/components/Button';
import { EmptyState } from '@/components/EmptyState';
import { visibleText } from '@/lib/visible-text';
import { EdgeLabel, OperationStatusText } from '../operations/OperationCells';
import { CAUSE_KINDS, CAUSES, PART_KINDS } from '../operations/operation-texts';
import { timeText } from '../operations/operation-time';
import { StatusCell } from '../rows/StatusCell';
import { useNow } from '../rows/waterfall';
import styles from './causes.module.css';
import type { Causes } from './use-causality';

/** Goes to a row that belongs to an operation. */
export type GoTo = (row: ExchangeId, operation: ExchangeId) => void;

interface CausesPanelProps {
  readonly causes: Causes | null;
  /** The reason why they could not be loaded. */
  readonly failure: unknown;
  /** Selects a row. */
  readonly onSelect: GoTo;
  /** Shows a row in the tree of its operation. */
  readonly onShow: GoTo;
}

/** The rows that caused one row, and those that it caused. */
export function CausesPanel({ causes, failure, onSelect, onShow }: CausesPanelProps) {
  if (failure !== null) {
    const { message, hint } = asCommandError(failure);
    return <EmptyState title={message}>{hint}</EmptyState>;
  }
  if (causes === null) return null;
  const { causality, operation } = causes;
  return (
    <>
      <OperationLine
        operation={operation}
        isComplete={causality.complete}
        onShow={() => onShow(causality.row.id, causality.operation)}
      />
      <RelatedRows causality={causality} onSelect={(id) => onSelect(id, causality.operation)} />
    </>
  );
}

interface OperationLineProps {
  readonly operation: Operation;
  /** False while older rows are looked at, which may change it. */
  readonly isComplete: boolean;
  readonly onShow: () => void;
}

/** The operation that the row is part of, with its time. */
function OperationLine({ operation, isComplete, onShow }: OperationLineProps) {
  const { now, watch } = useNow();
  watch(operation.outcome === 'pending');
  const { root } = operation;
  return (
    <div className={styles.operation}>
      <p className="grow ellipsis">
        <span className={styles.faint}>{CAUSES.operation} </span>
        <span className="mono">
          #{root.id} {visibleText(root.method)} {visibleText(root.target)}
        </span>{' '}
        <OperationStatusText operation={operation} />{' '}
        <span className={styles.faint}>{timeText(operation, now)}</span>
      </p>
      {!isComplete && (
        <span role="status" className={styles.faint}>
          {CAUSES.lookingBack}
        </span>
      )}
      <Button variant="quiet" onPress={onShow}>
        {CAUSES.show}
      </Button>
    </div>
  );
}

const LAYOUT = { rowSize: 26, headingSize: 26 };

interface RelatedRowsProps {
  readonly causality: Causality;
  readonly onSelect: (id: ExchangeId) => void;
}

function RelatedRows({ causality, onSelect }: RelatedRowsProps) {
  const { causes, effects, totalEffects: total } = causality;
  // Going from row to row, the keyboard stays in the list.
  const hasFocus = useRef(false);
  return (
    <Virtualizer layout={ListLayout} layoutOptions={LAYOUT}>
      <ListBox
        key={causality.row.id}
        aria-label={CAUSES.list}
        className="fill scroll no-outline"
        autoFocus={hasFocus.current && 'first'}
        onAction={(key) => {
          hasFocus.current = true;
          onSelect(idOf(String(key)));
        }}
        onBlur={() => {
          hasFocus.current = false;
        }}
      >
        <ListBoxSection id="causes" aria-label={CAUSES.causedBy}>
          {causes.length > 0 && <Header className={styles.heading}>{CAUSES.causedBy}</Header>}
          {causes.map((related) => (
            <RelatedItem
              key={related.row.id}
              id={`cause ${related.row.id}`}
              related={related}
              label={CAUSE_KINDS[related.edge.kind]}
            />
          ))}
          {causes.length === 0 && <Nothing id="no cause" text={CAUSES.noCause} />}
        </ListBoxSection>
        <ListBoxSection id="effects" aria-label={CAUSES.caused}>
          {effects.length > 0 && (
            <Header className={styles.heading}>
              {CAUSES.caused}
              <span className={styles.faint}> {CAUSES.ofAll(effects.length, total)}</span>
            </Header>
          )}
          {effects.map((related) => (
            <RelatedItem
              key={related.row.id}
              id={`effect ${related.row.id}`}
              related={related}
              label={PART_KINDS[related.edge.kind]}
            />
          ))}
          {effects.length === 0 && <Nothing id="no effect" text={CAUSES.noEffect} />}
        </ListBoxSection>
      </ListBox>
    </Virtualizer>
  );
}

/** The row of an item, of which the id tells the side too. */
function idOf(key: string): ExchangeId {
  return Number(key.slice(key.indexOf(' ') + 1));
}

interface RelatedItemProps {
  readonly id: string;
  readonly related: RelatedRow;
  readonly label: string;
}

function RelatedItem({ id, related: { row, edge }, label }: RelatedItemProps) {
  const method = visibleText(row.method);
  const target = visibleText(row.target);
  return (
    <ListBoxItem id={id} textValue={`${label} ${method} ${target}`} className={styles.row}>
      <span className={styles.kind}>
        <EdgeLabel edge={edge} label={label} />
      </span>
      <span className={`mono grow ellipsis text-data`} title={target}>
        <span className={styles.faint}>#{row.id}</span> {method}{' '}
        <span className={styles.faint}>{target}</span>
      </span>
      <span className="mono">
        <StatusCell row={row} />
      </span>
    </ListBoxItem>
  );
}

function Nothing({ id, text }: { id: string; text: string }) {
  return (
    <ListBoxItem id={id} textValue={text} isDisabled className={styles.nothing}>
      {text}
    </ListBoxItem>
  );
}
