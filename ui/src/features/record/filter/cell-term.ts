import type { ExchangeRow } from '@/backend/bindings';
import { serverName } from '../rows/row-words';

/** The filter term that selects rows with the same value in a column; nothing where none does. */
export function termOf(row: ExchangeRow, column: string): string | null {
  switch (column) {
    case 'number':
      return `id:${row.id}`;
    case 'direction':
      return row.kind === 'phase' ? null : `from:${row.direction === 'sent' ? 'client' : 'server'}`;
    case 'time':
      return `time:>=${clockTime(row.at ?? 0)}`;
    case 'server':
      return withValue('server', serverName(row));
    case 'method':
      return row.kind === 'phase' ? 'kind:phase' : withValue('method', row.method);
    case 'target':
      return targetTerm(row);
    case 'status':
      return statusTerm(row);
    case 'duration':
      return row.duration === null ? null : `dur:>=${Math.floor(row.duration * 1000)}us`;
    case 'size':
      return row.size === 0 ? null : `size:>=${row.size}b`;
    default:
      return null;
  }
}

function targetTerm({ kind, method, target }: ExchangeRow): string | null {
  if (target === '') return null;
  if (method === 'tools/call') return withValue('tool', target);
  const level = kind === 'log' ? /^([a-z]+)(?=:|$)/.exec(target)?.[1] : undefined;
  if (level !== undefined) return `level:${level}`;
  // A long text is cut, and a quotation mark cannot be looked for.
  const text = target.replace(/…$/, '').split('"')[0]?.trim();
  return text ? `"${text}"` : null;
}

function statusTerm({ outcome, code }: ExchangeRow): string | null {
  if (outcome === 'none') return null;
  return `status:${outcome === 'error' && code !== null ? code : outcome}`;
}

function withValue(key: string, value: string): string | null {
  const plain = value.split('"')[0]?.trim();
  if (!plain) return null;
  return /\s/.test(plain) ? `${key}:"${plain}"` : `${key}:${plain}`;
}

/** A moment of the clock here, with its date where it is not of today. */
function clockTime(at: number): string {
  const moment = new Date(at);
  const two = (number: number) => String(number).padStart(2, '0');
  const clock = [moment.getHours(), moment.getMinutes(), moment.getSeconds()].map(two).join(':');
  if (moment.toDateString() === new Date().toDateString()) return clock;
  const date = [moment.getFullYear(), two(moment.getMonth() + 1), two(moment.getDate())].join('-');
  return `${date}t${clock}`;
}
