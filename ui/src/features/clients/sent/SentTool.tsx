import { useMemo, useRef } from 'react';
import { useBackend } from '@/backend/backend';
import type { Provider, SentToolDetail, ServerId } from '@/backend/bindings';
import { SplitPane } from '@/components/SplitPane';
import { useVirtualRows } from '@/components/use-virtual-rows';
import { visibleLines } from '@/lib/visible-text';
import { useAnswer } from '@/widgets/use-answer';
import { Answered } from '../Answered';
import styles from '../clients.module.css';
import type { ClientScope } from '../scope';
import { SENT } from '../texts';
import { ChangeList } from './ChangeList';
import { type SideRow, sideRows } from './side-rows';

const PANES = [
  { id: 'changes', size: '34%', min: 60 },
  { id: 'texts', min: 100 },
] as const;

interface SentToolProps {
  scope: ClientScope;
  server: ServerId;
  tool: string;
  provider: Provider;
}

/** One tool: what is changed in it, and its two texts beside each other. */
export function SentTool({ scope, server, tool, provider }: SentToolProps) {
  const backend = useBackend();
  const { client, revision } = scope;
  const answer = useAnswer(
    () => backend.getSentTool(server, tool, provider, client.scheme),
    [backend, server, tool, provider, client.scheme, revision],
  );
  return (
    <Answered answer={answer} asking={null}>
      {(detail) => <Detail detail={detail} />}
    </Answered>
  );
}

function Detail({ detail }: { detail: SentToolDetail }) {
  const { changes, hasMoreChanges } = detail;
  return (
    <SplitPane name="model-sent-tool" direction="column" panes={PANES}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls */}
      <section className={styles.changes} aria-label={SENT.changes} tabIndex={0}>
        {changes.length === 0 && <p className="remark">{SENT.noChanges}</p>}
        <ChangeList changes={changes} />
        {hasMoreChanges && <p className="remark">{SENT.moreChanges}</p>}
      </section>
      <SideBySide detail={detail} />
    </SplitPane>
  );
}

const ROW_HEIGHT = 18;
/** Rows drawn above and below those that are seen. */
const OVERSCAN = 12;

/** The original and the sent text, line beside line. */
function SideBySide({ detail }: { detail: SentToolDetail }) {
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
