import type { Backend } from '@/backend/backend';
import type { CopyForm, ExchangeId, ExchangeRow } from '@/backend/bindings';
import type { MenuEntry } from '@/components/Menu';
import { copyText } from '@/lib/clipboard';
import { formatTimestamp } from '@/lib/format';
import { showError, showNote } from '@/state/notices';
import { COPY } from './texts';
import type { TrafficRows } from './traffic-rows';

/** The number of rows that can sensibly be pasted somewhere. */
const MAX_ROWS = 10_000;
const STEP = 500;

/** Returns the entries of the menu that copies from the table. */
export function copyEntries(
  backend: Backend,
  rows: TrafficRows,
  selected: ExchangeId | null,
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
    { id: 'rows', title: COPY.rows, run: () => copyRows(backend, rows) },
  ];
}

/** Copies one exchange, whole. */
export function copyExchange(backend: Backend, id: ExchangeId, form: CopyForm): void {
  copyText(backend.copyExchange(id, form)).then(
    () => showNote(form === 'curl' ? COPY.copiedCurl : COPY.copiedJson),
    showError,
  );
}

function copyRows(backend: Backend, rows: TrafficRows): void {
  let count = 0;
  const text = loadRows(backend, rows).then((loaded) => {
    count = loaded.length;
    return tableText(loaded);
  });
  copyText(text).then(() => showNote(COPY.copiedRows(count)), showError);
}

/** The matching rows, oldest first; of very many, the newest. */
async function loadRows(backend: Backend, rows: TrafficRows): Promise<ExchangeRow[]> {
  const first = await backend.trafficWindow(rows.query(), 0, STEP);
  // Rows that come meanwhile would shift those that follow.
  const query = { ...rows.query(), until: first.rows.at(-1)?.id ?? 0 };
  const pages = [first.rows];
  for (let offset = STEP; offset < Math.min(first.total, MAX_ROWS); offset += STEP) {
    pages.unshift((await backend.trafficWindow(query, offset, STEP)).rows);
  }
  return pages.flat();
}

const HEADINGS = [
  'number',
  'direction',
  'time',
  'server',
  'project',
  'kind',
  'method',
  'target',
  'outcome',
  'code',
  'milliseconds',
  'bytes',
];

/** Rows as text that spreadsheets take: columns apart by tabs. */
function tableText(rows: readonly ExchangeRow[]): string {
  const lines = rows.map((row) =>
    [
      row.id,
      row.direction,
      formatTimestamp(row.at ?? 0),
      row.server,
      row.project,
      row.kind,
      row.method,
      row.target,
      row.outcome,
      row.code ?? '',
      row.duration ?? '',
      row.size ?? '',
    ]
      .map((value) => String(value).replace(/[\t\r\n]+/g, ' '))
      .join('\t'),
  );
  return `${[HEADINGS.join('\t'), ...lines].join('\n')}\n`;
}
