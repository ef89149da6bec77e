import { useState } from 'react';
import { useBackend } from '@/backend/backend';
import type { Operation } from '@/backend/bindings';
import { useAsyncEffect } from '@/components/use-async-effect';
import { visibleText } from '@/lib/visible-text';
import { OperationStatusText } from '../operations/OperationCells';
import { partsText } from '../operations/operation-texts';
import { timeText } from '../operations/operation-time';
import { serverName } from '../rows/row-words';
import { BOOKMARK } from '../texts';
import type { Hit } from './draw';
import styles from './timeline.module.css';
import { TIMELINE } from './timeline-texts';

interface HoverCardProps {
  readonly hit: Hit;
  readonly x: number;
  readonly y: number;
  /** The width of the plot. */
  readonly width: number;
}

/** Facts about what is under the pointer. */
export function HoverCard({ hit, x, y, width }: HoverCardProps) {
  const operation = useOperation(hit);
  const isRight = x > width / 2;
  const style = { top: y + 16, ...(isRight ? { right: width - x + 8 } : { left: x + 8 }) };
  if (hit.count > 1) {
    return (
      <div className={styles.card} style={style} aria-hidden="true">
        <p>{TIMELINE.many(hit.count)}</p>
        <p className="faint">{TIMELINE.zoom}</p>
      </div>
    );
  }
  if (operation === null) return null;
  const { root } = operation;
  const parts = partsText(operation);
  return (
    <div className={styles.card} style={style} aria-hidden="true">
      <p className={styles.operation}>
        <span className="faint">#{root.id}</span> {visibleText(root.method)}{' '}
        {visibleText(root.target)}
      </p>
      <p>
        {serverName(root)} <OperationStatusText operation={operation} />
      </p>
      <p className="faint">{timeText(operation, Date.now())}</p>
      {root.bookmark !== null && (
        <p className="faint">{BOOKMARK.mark(visibleText(root.bookmark.slice(0, 200)))}</p>
      )}
      {parts !== '' && <p className="faint">{parts}</p>}
    </div>
  );
}

/** The operation that a place stands for, once it is known. */
function useOperation({ operation: id, count }: Hit): Operation | null {
  const backend = useBackend();
  const [known, setKnown] = useState<Operation | null>(null);
  useAsyncEffect(
    () =>
      count > 1
        ? null
        : {
            start: () => backend.getTrafficOperation({ id }, 0, 1),
            onValue: (tree) => setKnown(tree.operation),
            onError: () => setKnown(null),
          },
    [backend, id, count],
  );
  return known?.root.id === id ? known : null;
}
