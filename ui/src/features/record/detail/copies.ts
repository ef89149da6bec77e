import type { Backend } from '@/backend/backend';
import type { CopyForm, ExchangeId, ExchangeRow, TrafficQuery } from '@/backend/bindings';
import type { MenuEntry } from '@/components/Menu';
import { copyText } from '@/lib/clipboard';
import { formatTimestamp } from '@/lib/format';
import { writeDelimited } from '@/lib/table/delimited';
import { showError, showNote } from '@/state/notices';
import type { RowsInView } from '../rows/record-rows';
import { COPY } from '../texts';

/** A column of copied rows: its heading, and what stands below that. */
export type SheetColumn<Row> = readonly [heading: string, cellOf: (row: Row) => string | number];

/** The number of rows that can sensibly be pasted somewhere. */
const MAX_ROWS = 10_000;
export const STEP = 500;

/** Returns the entries of the menu that copies from the table. */
export function copyEntries(
  backend: Backend,
  selected: ExchangeId | null,
  copyShown?: () => void,
): MenuEntry[] {
  return [
    {
      id: 'json',
      title: COPY.json,
      isDisabled: selected === null,
      run: () => selected !== null && copyExchange(backend, selected, 'json'),
    },
    {
      id: 'curl',
      title: COPY.curl,
      isDisabled: selected === null,
      run: () => selected !== null && copyExchange(backend, selected, 'curl'),
    },
    ...(copyShown ? [{ id: 'rows', title: COPY.rows, run: copyShown }] : []),
  ];
}

/** Copies one exchange, whole. */
function copyExchange(backend: Backend, id: ExchangeId, form: CopyForm): void {
  copyText(backend.copyExchange(id, form)).then(
    () => showNote(form === 'curl' ? COPY.copiedCurl : COPY.copiedJson),
    showError,
  );
}

/** Copies the matching messages. */
export function copyRows(backend: Backend, rows: RowsInView): void {
  const load = async (query: TrafficQuery, offset: number) =>
    backend.listTraffic(query, offset, STEP);
  copyTable(load, rows, (row) => row.id, COLUMNS);
}

/** Copies all matching rows as text, oldest first; of very many, the newest. */
export function copyTable<Row>(
  load: (query: TrafficQuery, offset: number) => Promise<{ rows: Row[]; total: number }>,
  shown: RowsInView,
  idOf: (row: Row) => ExchangeId,
  columns: readonly SheetColumn<Row>[],
): void {
  let count = 0;
  const text = loadRows(load, shown, idOf).then((loaded) => {
    count = loaded.length;
    return spreadsheetText(columns, loaded);
  });
  copyText(text).then(() => showNote(COPY.copiedRows(count)), showError);
}

async function loadRows<Row>(
  load: (query: TrafficQuery, offset: number) => Promise<{ rows: Row[]; total: number }>,
  shown: RowsInView,
  idOf: (row: Row) => ExchangeId,
): Promise<Row[]> {
  const first = await load(shown.query(), 0);
  const newest = first.rows.at(-1);
  // Rows that come meanwhile would shift those that follow.
  const query = { ...shown.query(), until: newest === undefined ? 0 : idOf(newest) };
  const pages = [first.rows];
  for (let offset = STEP; offset < Math.min(first.total, MAX_ROWS); offset += STEP) {
    pages.unshift((await load(query, offset)).rows);
  }
  return pages.flat();
}

/** The columns of copied rows: their headings, and what stands below them. */
const COLUMNS: readonly SheetColumn<ExchangeRow>[] = [
  ['number', (row) => row.id],
  ['direction', (row) => row.direction],
  ['time', (row) => formatTimestamp(row.at ?? 0)],
  ['server', (row) => row.server],
  ['project', (row) => row.project],
  ['kind', (row) => row.kind],
  ['method', (row) => row.method],
  ['target', (row) => row.target],
  ['outcome', (row) => row.outcome],
  ['code', (row) => row.code ?? ''],
  ['milliseconds', (row) => row.duration ?? ''],
  ['bytes', (row) => row.size ?? ''],
];

/** Rows as text that spreadsheets take: columns apart by tabs. */
export function spreadsheetText<Row>(
  columns: readonly SheetColumn<Row>[],
  rows: readonly Row[],
): string {
  const cells = rows.map((row) => columns.map(([, cellOf]) => String(cellOf(row))));
  return writeDelimited(
    columns.map(([heading]) => heading),
    cells,
    '\t',
  );
}
