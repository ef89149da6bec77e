import { ArrowDown } from 'lucide-react';
import { type ReactNode, useCallback, useRef, useState } from 'react';
import type { ExchangeId, ExchangeRow } from '@/backend/bindings';
import { Button } from '@/components/Button';
import type { ColumnWidths } from '@/components/virtual-table/columns';
import { VirtualTable } from '@/components/virtual-table/VirtualTable';
import { formatCount } from '@/lib/format';
import { recall, remember } from '@/lib/remembered';
import { TRAFFIC_COLUMNS, type TrafficFrame } from './traffic-columns';
import type { TrafficRows } from './traffic-rows';
import styles from './traffic-table.module.css';
import { useNow } from './use-now';
import { useRows } from './use-traffic-rows';
import { timeScale } from './waterfall';

const WIDTHS = 'traffic.columns';

interface TrafficTableProps {
  readonly rows: TrafficRows;
  readonly selected: ExchangeId | null;
  readonly onSelect: (row: ExchangeRow) => void;
  readonly onOpen: (row: ExchangeRow) => void;
  readonly empty: ReactNode;
}

/** The rows, and the way back to the newest one. */
export function TrafficTable({ rows, selected, onSelect, onOpen, empty }: TrafficTableProps) {
  const follows = useRows(rows, () => rows.follows);
  const isPaused = useRows(rows, () => rows.paused);
  const newer = useRows(rows, () => rows.newer);
  const isLoaded = useRows(rows, () => rows.loaded);
  const frameOf = useFrame();
  const [widths, setWidths] = useState<ColumnWidths>(() => recall(WIDTHS, isWidths) ?? {});

  const changeWidths = (changed: ColumnWidths) => {
    setWidths(changed);
    remember(WIDTHS, changed);
  };

  const changeFollow = (follow: boolean) => {
    if (follow) rows.follow();
    else rows.hold();
  };

  return (
    <div className={styles.frame}>
      <VirtualTable
        label="Traffic"
        columns={TRAFFIC_COLUMNS}
        source={rows}
        rowKey={idOf}
        frameOf={frameOf}
        selected={selected}
        onSelect={onSelect}
        onOpen={onOpen}
        follow={follows}
        onFollowChange={changeFollow}
        widths={widths}
        onWidthsChange={changeWidths}
        empty={isLoaded ? empty : undefined}
      />
      {!follows && !isPaused && (
        <Button className={styles.latest} onPress={() => rows.follow()}>
          <ArrowDown size={13} aria-hidden="true" />
          Jump to latest
          {newer > 0 && <span className={styles.newer}>{formatCount(newer)} new</span>}
        </Button>
      )}
    </div>
  );
}

function idOf(row: ExchangeRow): ExchangeId {
  return row.id;
}

/** The time scale of the rows on the screen; the same object while it stays the same scale. */
function useFrame(): (rows: readonly ExchangeRow[]) => TrafficFrame {
  const { now, watch } = useNow();
  const last = useRef<TrafficFrame | null>(null);
  return useCallback(
    (rows) => {
      const isPending = rows.some((row) => row.outcome === 'pending');
      watch(isPending);
      const scale = timeScale(rows, now);
      const { current: known } = last;
      const isSame =
        known !== null &&
        known.scale.start === scale.start &&
        known.scale.end === scale.end &&
        (known.now === now || !isPending);
      if (isSame) return known;
      last.current = { scale, now };
      return last.current;
    },
    [now, watch],
  );
}

function isWidths(value: unknown): value is ColumnWidths {
  return (
    typeof value === 'object' &&
    value !== null &&
    Object.values(value).every((width) => typeof width === 'number')
  );
}
