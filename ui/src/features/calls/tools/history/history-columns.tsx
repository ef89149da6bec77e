import type { ToolCall } from '@/backend/bindings';
import { Glyph, type StatusLabel } from '@/components/Glyph';
import type { Column } from '@/components/virtual-table/columns';
import { formatDuration, formatMoment, formatTimestamp } from '@/lib/format';
import { visibleText } from '@/lib/visible-text';
import { HISTORY } from './texts';

export const HISTORY_COLUMNS: readonly Column<ToolCall, number>[] = [
  {
    id: 'time',
    title: HISTORY.time,
    width: 116,
    cell: (call, now) => (
      <span title={formatTimestamp(call.at)}>{formatMoment(call.at, now).slice(0, 14)}</span>
    ),
  },
  {
    id: 'outcome',
    title: HISTORY.outcome,
    width: 130,
    cell: (call) => {
      const { glyph, tone, label } = outcomeLabel(call);
      return (
        <>
          <Glyph glyph={glyph} tone={tone} /> {label}
        </>
      );
    },
  },
  {
    id: 'duration',
    title: HISTORY.duration,
    width: 80,
    align: 'end',
    yields: 1,
    cell: ({ duration }) => (duration === null ? '' : formatDuration(duration)),
  },
  {
    id: 'arguments',
    title: HISTORY.arguments,
    width: 140,
    takesRest: true,
    indent: 8,
    cell: ({ arguments: text }) =>
      text === null ? (
        HISTORY.notOnRecord
      ) : (
        <span title={visibleText(text)}>{visibleText(text)}</span>
      ),
  },
];

/** The outcome of a call in a word or two. */
export function outcomeLabel({ outcome, code }: ToolCall): StatusLabel {
  switch (outcome) {
    case 'ok':
      return { glyph: '✓', tone: 'ok', label: 'ok' };
    case 'error':
      return {
        glyph: '✕',
        tone: 'bad',
        label: code === null ? HISTORY.toolError : HISTORY.error(code),
      };
    case 'cancelled':
      return { glyph: '■', tone: 'warn', label: 'cancelled' };
    case 'pending':
      return { glyph: '◐', tone: 'busy', label: 'running' };
    default:
      return { glyph: '✕', tone: 'bad', label: 'unanswered' };
  }
}
