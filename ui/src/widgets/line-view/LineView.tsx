import { memo, useEffect, useMemo, useRef } from 'react';
import { useBackend } from '@/backend/backend';
import type { FrameId, LinePage, PayloadQuery } from '@/backend/bindings';
import { type Token, tokenizeLine } from '@/lib/json/tokenize';
import { visibleLines } from '@/lib/visible-text';
import { useLineWrap } from '@/state/line-wrap';
import { type Find, withMatches } from './find';
import styles from './line-view.module.css';
import { PAYLOAD } from './texts';
import { hexSource, type LineSource, payloadSource, useLines } from './use-lines';
import { useRowWindow } from './use-row-window';

const ROW_HEIGHT = 18;
const OVERSCAN = 12;

interface LineViewProps {
  query: PayloadQuery;
  /** Its accessible name. */
  label?: string;
  /** The text that is looked for. */
  find?: Find;
  /** Its first page, where that is at hand. */
  given?: LinePage | null;
}

/** A payload on record, of any length. JSON is coloured, text is not. */
export function LineView({ query, label = PAYLOAD, find, given = null }: LineViewProps) {
  const backend = useBackend();
  const { frame, pointer, form } = query;
  const source = useMemo(
    () => payloadSource(backend, { frame, pointer, form }, given),
    [backend, frame, pointer, form, given],
  );
  return <SourceView source={source} label={label} coloured={form !== 'text'} find={find} />;
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
  find?: Find | undefined;
}

/** A text of any length, of which only the lines in view are fetched and drawn. */
function SourceView(props: SourceViewProps) {
  const { source, label, coloured = false, numbered = true, find } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const lines = useLines(source);
  const total = lines.total ?? 0;
  // Rows of their own heights are measured, which a text with fewer rows than lines cannot be.
  const wraps = useLineWrap(!coloured) && numbered && scrolledRows(total) === total;
  const drawn = useRowWindow(scroller, {
    count: scrolledRows(total),
    usual: ROW_HEIGHT,
    spare: OVERSCAN,
    name: `${source.key} ${wraps}`,
  });
  const found = find?.line;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the same match is not sought again.
  useEffect(() => {
    if (found === undefined || total === 0) return;
    const visible = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / ROW_HEIGHT));
    drawn.showRow(rowOfLine(total, found, visible));
  }, [found, total]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another text starts at its top.
  useEffect(() => {
    if (scroller.current) scroller.current.scrollTop = 0;
  }, [source.key]);

  const rows = Array.from({ length: drawn.end - drawn.first }, (_, at) => drawn.first + at);
  // Known from its observer: to ask the element would have it laid out at each frame.
  const topRow = Math.floor(drawn.offset / ROW_HEIGHT);
  const visibleRows = Math.max(1, Math.floor(drawn.viewport / ROW_HEIGHT));
  const shift = wraps ? 0 : topLine(total, topRow, visibleRows) - topRow;
  const first = (rows[0] ?? 0) + shift;
  const last = (rows.at(-1) ?? 0) + shift;
  useEffect(() => {
    if (total > 0) lines.want(Math.max(0, first), Math.min(total - 1, last));
  }, [lines.want, total, first, last]);

  if (lines.failure !== undefined) {
    return <p className="pad-x-7 pad-y-5 bad">✕ {lines.failure}</p>;
  }
  const digits = String(total).length;
  return (
    <section
      ref={scroller}
      className={styles.view}
      data-wraps={wraps || undefined}
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region has to be reachable.
      tabIndex={0}
    >
      <div className={styles.canvas} style={{ height: drawn.height }}>
        {rows.map((row) => {
          const index = row + shift;
          if (index < 0 || index >= total) return null;
          return (
            <div
              key={row}
              ref={wraps ? drawn.measureRow : undefined}
              data-index={row}
              className={styles.line}
              style={{ top: drawn.topOf(row) }}
            >
              {numbered && (
                <span
                  className={styles.number}
                  style={{ width: `${digits}ch` }}
                  data-line={lines.number(index) ?? ''}
                />
              )}
              <Line
                text={lines.line(index)}
                coloured={coloured}
                find={find?.text ?? ''}
                current={index === found ? find?.ordinal : undefined}
              />
            </div>
          );
        })}
      </div>
    </section>
  );
}

const COLOURS = {
  key: 'accent',
  string: 'ok',
  number: 'busy',
  literal: 'busy',
};

interface LineProps {
  text: string | undefined;
  coloured: boolean;
  /** The text that is looked for. */
  find: string;
  /** The match at hand among those on this line. */
  current: number | undefined;
}

const Line = memo(function Line({ text, coloured, find, current }: LineProps) {
  if (text === undefined) return <span className="faint">…</span>;
  const shown = visibleLines(text);
  if (!coloured && find === '') return <span>{shown}</span>;
  const tokens: Token[] = coloured ? tokenizeLine(shown) : [{ kind: 'plain', text: shown }];
  let position = 0;
  return (
    <span>
      {withMatches(tokens, find, current).map((piece) => {
        const key = position;
        position += piece.text.length;
        if (piece.match !== 'none') {
          return (
            <mark
              key={key}
              className={styles.match}
              data-current={piece.match === 'current' || undefined}
            >
              {piece.text}
            </mark>
          );
        }
        return piece.kind === 'plain' || piece.kind === 'punctuation' ? (
          piece.text
        ) : (
          <span key={key} className={COLOURS[piece.kind]}>
            {piece.text}
          </span>
        );
      })}
    </span>
  );
});

/**
 * Engines stop at some height: WebKit and Chromium at about 33 million pixels, others
 * earlier. A longer text therefore gets fewer rows of scrolling than it has lines, and the
 * place of the scroll bar says how far into the text the window is.
 */
export const MAX_ROWS = 700_000;

/** Returns the number of rows that can be scrolled through. */
export function scrolledRows(lines: number): number {
  return Math.min(lines, MAX_ROWS);
}

/** The row to scroll to so that a line is in view, the inverse of `topLine`. */
export function rowOfLine(lines: number, line: number, visible: number): number {
  const rows = scrolledRows(lines);
  if (rows === lines) return line;
  return Math.round((line / Math.max(1, lines - visible)) * (rows - visible));
}

/** The line at the top when `topRow` is, with `visible` rows in view. */
export function topLine(lines: number, topRow: number, visible: number): number {
  const rows = scrolledRows(lines);
  if (rows === lines) return topRow;
  const share = topRow / Math.max(1, rows - visible);
  return Math.round(Math.min(1, share) * Math.max(0, lines - visible));
}
