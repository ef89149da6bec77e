import { ArrowDown } from 'lucide-react';
import { Button } from '@/components/Button';
import { BAR } from '../texts';
import type { RowsInView } from './record-rows';
import styles from './traffic-table.module.css';
import { useRows } from './use-record-rows';

/** The way back to the newest row, from rows that stand still. */
export function LatestButton({ rows }: { rows: RowsInView }) {
  const follows = useRows(rows, () => rows.follows);
  const isPaused = useRows(rows, () => rows.paused);
  const newer = useRows(rows, () => rows.newer);
  if (follows || isPaused) return null;
  return (
    <Button className={styles.latest} onPress={() => rows.follow()}>
      <ArrowDown size={13} />
      {BAR.latest}
      {newer > 0 && <span className="remark">{BAR.newer(newer)}</span>}
    </Button>
  );
}
