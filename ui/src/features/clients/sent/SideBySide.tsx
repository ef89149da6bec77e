import { useMemo, useRef } from 'react';
import type { SentToolDetail } from '@/backend/bindings';
import { useVirtualRows } from '@/components/use-virtual-rows';
import { visibleLines } from '@/lib/visible-text';
import styles from '../clients.module.css';
import { SENT } from '../texts';
import { type SideRow, sideRows } from './side-rows';

const ROW_HEIGHT = 18;
/** Rows drawn above and below those that are seen. */
const OVERSCAN = 12;

/** The original and the sent text, line beside line. */
export function SideBySide({ detail }: { detail: SentToolDetail }) {
  const rows = useMemo(() => sideRows(detail), [detail]);
  const scroller = useRef<HTMLDivElement>(null);
  const virtualizer = useVirtualRows(scroller, rows.length, ROW_HEIGHT, OVERSCAN);
  return (
    <div className="stack min-h-0 h-full">
      <div className={styles.textHead}>
        <span>{SENT.original}</span>
        <span>{SENT.sent}</span>
      </div>
      <section
        ref={scroller}
        className={styles.textScroll}
        aria-label={SENT.comparison}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
        tabIndex={0}
      >
        {detail.lines.length === 0 && <p className="remark">{SENT.tooLong}</p>}
        <div className="relative" style={{ height: virtualizer.getTotalSize() }}>
          {virtualizer.getVirtualItems().map(({ index, start }) => {
            const row = rows[index];
            return (
              row && (
                <div
                  key={index}
                  className={styles.textRow}
                  style={{ transform: `translateY(${start}px)` }}
                >
                  <Side text={row.original} mark={row.isEqual ? null : '−'} row={row} />
                  <Side text={row.sent} mark={row.isEqual ? null : '+'} row={row} />
                </div>
              )
            );
          })}
        </div>
      </section>
    </div>
  );
}

interface SideProps {
  text: string | null;
  mark: '−' | '+' | null;
  row: SideRow;
}

function Side({ text, mark }: SideProps) {
  const side = text === null ? 'none' : mark === '−' ? 'original' : mark === '+' ? 'sent' : 'both';
  return (
    <code className={styles.textLine} data-side={side} title={text ?? undefined}>
      <span className={styles.sign}>{text === null ? '' : (mark ?? '')}</span>
      {text === null ? '' : visibleLines(text)}
    </code>
  );
}
