import type { ExportScope } from '@/backend/bindings';
import type { Choice } from '@/components/Select';
import { visibleText } from '@/lib/visible-text';
import type { ExportChoice, ExportSource } from '@/state/record/exports';
import { CHOICES } from './texts';

/** Returns the kinds of rows that can be exported from where the user is. */
export function choicesOf(source: ExportSource): Choice<ExportChoice>[] {
  const kinds: (ExportChoice | false)[] = [
    source.row !== null && 'row',
    source.shown !== null && 'shown',
    source.row !== null && 'connection',
    source.server !== null && 'server',
    'everything',
  ];
  return kinds
    .filter((kind) => kind !== false)
    .map((value) => ({ value, label: CHOICES[value](labelOf(source, value)) }));
}

/** Returns the rows of a kind. */
export function scopeOf(source: ExportSource, choice: ExportChoice): ExportScope {
  const { row, shown, server } = source;
  if (choice === 'row' && row) return { type: 'rows', rows: [row.id] };
  if (choice === 'connection' && row) return { type: 'connection', connection: row.connection };
  if (choice === 'shown' && shown) return { type: 'query', query: shown };
  if (choice === 'server' && server) return { type: 'server', server: server.id };
  return { type: 'everything' };
}

/** Returns the name of a kind for titles and files. */
export function nameOf(source: ExportSource, choice: ExportChoice): string {
  const { row, server } = source;
  if (choice === 'row' && row) return `${row.server} row ${row.id}`;
  if (choice === 'connection' && row) return `${row.server} connection ${row.connection}`;
  if (choice === 'server' && server) return server.name;
  return choice === 'shown' ? 'filtered traffic' : 'all traffic';
}

function labelOf({ row, server }: ExportSource, choice: ExportChoice): string {
  if (choice === 'row' && row) return String(row.id);
  if (choice === 'connection' && row) return `${row.connection} (${visibleText(row.server)})`;
  return visibleText(server?.name ?? '');
}
