/** All texts of tables, in one place. */
import { formatQuantity } from '@/lib/format';

export const TABLE = {
  label: (name: string) => `${name} as a table`,
  rows: (rows: number, columns: number) =>
    `${formatQuantity(rows, 'row')}, ${formatQuantity(columns, 'column')}`,
  cut: 'the first 50,000 rows and 200 columns; the text has all of it',
  copy: 'Copy table',
  csv: 'As CSV',
  tsv: 'As TSV',
  markdown: 'As Markdown',
  copied: 'Copied the table',
  empty: 'No rows',
  emptyHint: 'The table has a heading and nothing below it.',
} as const;
