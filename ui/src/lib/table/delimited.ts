import { type Cell, MAX_COLUMNS, MAX_ROWS, type Table } from './table';

/** Separator between two fields. */
export type Delimiter = ',' | '\t';

/**
 * Reads CSV (RFC 4180) or TSV; the first line names the columns. What does not follow the rules is
 * taken as it stands: a quote within a field is a character, one that is never closed ends with the
 * text.
 */
export function readDelimited(text: string, delimiter: Delimiter): Table {
  const lines: string[][] = [];
  let isCut = false;
  let line: string[] = [];
  let field = '';
  let isQuoted = false;
  const endField = () => {
    if (line.length < MAX_COLUMNS) line.push(field);
    else isCut = true;
    field = '';
  };
  const endLine = () => {
    endField();
    if (line.length > 1 || line[0] !== '') lines.push(line);
    line = [];
  };
  const start = text.startsWith('\ufeff') ? 1 : 0;
  let index = start;
  for (; index < text.length && lines.length <= MAX_ROWS; index += 1) {
    const character = text[index];
    if (isQuoted) {
      if (character !== '"') field += character;
      else if (text[index + 1] === '"') {
        field += '"';
        index += 1;
      } else isQuoted = false;
    } else if (character === '"' && field === '') isQuoted = true;
    else if (character === delimiter) endField();
    else if (character === '\n') endLine();
    else if (character === '\r' && text[index + 1] === '\n') continue;
    else field += character;
  }
  if (index < text.length) isCut = true;
  else if (field !== '' || line.length > 0) endLine();
  const [head = [], ...rows] = lines;
  const width = rows.reduce((most, row) => Math.max(most, row.length), head.length);
  const columns = Array.from({ length: width }, (_, column) => head[column] || `${column + 1}`);
  return { columns, rows: rows.slice(0, MAX_ROWS), isCut: isCut || rows.length > MAX_ROWS };
}

/** Writes CSV (RFC 4180) or TSV. In TSV, which has no quotes, a break or a tab becomes a space. */
export function writeDelimited(
  columns: readonly string[],
  rows: readonly (readonly Cell[])[],
  delimiter: Delimiter,
): string {
  const field = (cell: Cell) => {
    const text = cell ?? '';
    if (delimiter === '\t') return text.replace(/[\t\r\n]+/g, ' ');
    return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  const line = (cells: readonly Cell[]) => cells.map(field).join(delimiter);
  const end = delimiter === ',' ? '\r\n' : '\n';
  return [columns, ...rows].map((cells) => line(cells) + end).join('');
}

/** Writes a table of Markdown. */
export function writeMarkdown(
  columns: readonly string[],
  rows: readonly (readonly Cell[])[],
): string {
  const field = (cell: Cell) =>
    (cell ?? '')
      .replaceAll('\\', '\\\\')
      .replaceAll('|', '\\|')
      .replace(/\r\n|\r|\n/g, '<br>');
  const line = (cells: readonly Cell[]) => `| ${cells.map(field).join(' | ')} |\n`;
  return line(columns) + line(columns.map(() => '---')) + rows.map(line).join('');
}
