import { useVirtualizer } from '@tanstack/react-virtual';
import { memo, useEffect, useMemo, useRef } from 'react';
import { useBackend } from '@/backend/backend';
import type { FrameId, PayloadQuery } from '@/backend/bindings';
import { tokenizeLine } from '@/lib/json/tokenize';
import { visibleLines } from '@/lib/visible-text';
import { hexSource, type LineSource, payloadSource } from './line-source';
import styles from './line-view.module.css';
import { scrolledRows, topLine } from './scale';
import { useLines } from './use-lines';

const ROW_HEIGHT = 18;
const OVERSCAN = 12;

interface LineViewProps {
  query: PayloadQuery;
  /** Its accessible name. */
  label?: string;
}

/** A payload on record, of any length. JSON is coloured, text is not. */
export function LineView({ query, label = 'Payload' }: LineViewProps) {
  const backend = useBackend();
  const { frame, pointer, form } = query;
  const source = useMemo(
    () => payloadSource(backend, { frame, pointer, form }),
    [backend, frame, pointer, form],
  );
  return <SourceView source={source} label={label} coloured={form !== 'text'} />;
}

interface HexViewProps {
  frame: FrameId;
  /** The JSON pointer of the base64 string. */
  pointer: string;
  label: string;
}

/** Bytes that a payload holds as base64, sixteen on a line. */
export function HexView({ frame, pointer, label }: HexViewProps) {
  const backend = useBackend();
  const source = useMemo(() => hexSource(backend, frame, pointer), [backend, frame, pointer]);
  return <SourceView source={source} label={label} numbered={false} />;
}

interface SourceViewProps {
  source: LineSource;
  label: string;
  /** Colours the lines as JSON. */
  coloured?: boolean;
  numbered?: boolean;
}

/** A text of any length, of which only the lines in view are fetched and drawn. */
function SourceView({ source, label, coloured = false, numbered = true }: SourceViewProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const lines = useLines(source);
  const total = lines.total ?? 0;
  const virtualizer = useVirtualizer({
    count: scrolledRows(total),
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: OVERSCAN,
    useFlushSync: false,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: another text starts at its top.
  useEffect(() => {
    scroller.current?.scrollTo(0, 0);
  }, [source.key]);

  const rows = virtualizer.getVirtualItems();
  // Known from its observer: to ask the element would have it laid out at each frame.
  const height = virtualizer.scrollRect?.height ?? 0;
  const topRow = Math.floor((virtualizer.scrollOffset ?? 0) / ROW_HEIGHT);
  const shift = topLine(total, topRow, Math.max(1, Math.floor(height / ROW_HEIGHT))) - topRow;
  const first = (rows[0]?.index ?? 0) + shift;
  const last = (rows.at(-1)?.index ?? 0) + shift;
  useEffect(() => {
    if (total > 0) lines.want(Math.max(0, first), Math.min(total - 1, last));
  }, [lines.want, total, first, last]);

  if (lines.failure !== undefined) {
    return <p className={styles.failure}>✕ {lines.failure}</p>;
  }
  const digits = String(total).length;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region has to be reachable.
    <section ref={scroller} className={styles.view} aria-label={label} tabIndex={0}>
      <div className={styles.canvas} style={{ height: virtualizer.getTotalSize() }}>
        {rows.map((row) => {
          const index = row.index + shift;
          if (index < 0 || index >= total) return null;
          return (
            <div key={row.key} className={styles.line} style={{ top: row.start }}>
              {numbered && (
                <span
                  className={styles.number}
                  style={{ width: `${digits}ch` }}
                  data-line={index + 1}
                />
              )}
              <Line text={lines.line(index)} coloured={coloured} />
            </div>
          );
        })}
      </div>
    </section>
  );
}

const COLOURS = {
  key: styles.key,
  string: styles.string,
  number: styles.numeral,
  literal: styles.numeral,
};

interface LineProps {
  text: string | undefined;
  coloured: boolean;
}

const Line = memo(function Line({ text, coloured }: LineProps) {
  if (text === undefined) return <span className={styles.waiting}>…</span>;
  const shown = visibleLines(text);
  if (!coloured) return <span>{shown}</span>;
  let position = 0;
  return (
    <span>
      {tokenizeLine(shown).map((token) => {
        const key = position;
        position += token.text.length;
        return token.kind === 'plain' || token.kind === 'punctuation' ? (
          token.text
        ) : (
          <span key={key} className={COLOURS[token.kind]}>
            {token.text}
          </span>
        );
      })}
    </span>
  );
});
