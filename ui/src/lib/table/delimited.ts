import { codeSpan } from '@/lib/markdown/write';
import { type Cell, MAX_COLUMNS, MAX_ROWS, NUMBER, type Table } from './table';

/** Separator between two fields. */
export type Delimiter = ',' | '\t';

/**
 * Reads CSV (RFC 4180) or TSV; the first line names the columns. What does not follow the rules is
 * taken as it stands: a quote within a field is a character, one that is never closed ends with the
 * text. `papaparse` (5.7.1, 19 kB) joins rows where line ends are mixed, and knows no formula that
 * begins with a wide sign.
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

/**
 * The beginning of a text that a spreadsheet may take for a formula, in the wide forms of the signs
 * too, and after what it passes over.
 */
const FORMULA = /^(?:[\s\p{C}]*[=+\-@\uff1d\uff0b\uff0d\uff20]|[\t\r\n])/u;

/**
 * Writes CSV (RFC 4180) or TSV. In TSV, which has no quotes, a break or a tab becomes a space. An
 * apostrophe before what might be a formula makes it a text for a spreadsheet.
 */
export function writeDelimited(
  columns: readonly string[],
  rows: readonly (readonly Cell[])[],
  delimiter: Delimiter,
): string {
  const field = (cell: Cell) => {
    const isFormula = cell !== undefined && FORMULA.test(cell) && !NUMBER.test(cell);
    const text = isFormula ? `'${cell}` : (cell ?? '');
    if (delimiter === '\t') {
      // A spreadsheet takes a quote at the beginning for one that holds a field together.
      return text.replace(/[\t\r\n]+/g, ' ').replace(/^(?=\s*")/, "'");
    }
    return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  const line = (cells: readonly Cell[]) => cells.map(field).join(delimiter);
  const end = delimiter === ',' ? '\r\n' : '\n';
  return [columns, ...rows].map((cells) => line(cells) + end).join('');
}

/** Text without a sign that says something in Markdown. */
const PLAIN = /^[\p{L}\p{M}\p{N} .,:;%()'+-]*$/u;

/** Writes a table of Markdown. A cell that would say something in Markdown stands in code. */
export function writeMarkdown(
  columns: readonly string[],
  rows: readonly (readonly Cell[])[],
): string {
  const part = (text: string) => {
    if (PLAIN.test(text) && !/www\./i.test(text)) return text;
    // Readers differ in whether two backslashes before a pipe let it end the cell.
    return codeSpan(text).replaceAll('\\|', '\\u{7c}').replaceAll('|', '\\|');
  };
  const field = (cell: Cell) =>
    (cell ?? '')
      .split(/\r\n|\r|\n/)
      .map(part)
      .join('<br>');
  const line = (cells: readonly Cell[]) => `| ${cells.map(field).join(' | ')} |\n`;
  return line(columns) + line(columns.map(() => '---')) + rows.map(line).join('');
}
