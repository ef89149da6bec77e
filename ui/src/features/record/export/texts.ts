/** Texts of the dialog that exports traffic. */
import type { ExportFormat } from '@/backend/bindings';
import { formatCount, formatQuantity, formatSize } from '@/lib/format';
import type { ExportChoice } from '@/state/record/exports';

export const EXPORT = {
  title: 'Export traffic',
  what: 'Rows',
  format: 'Format',
  texts: 'Include message bodies',
  argumentsAndResults: 'Arguments and results of tools',
  close: 'Close',
  stop: 'Stop',
  save: 'Save to a file…',
  reading: (done: number, of: number) =>
    of > 0 ? `Reading ${formatCount(done)} of ${formatCount(of)}` : 'Reading',
  progress: 'Progress of the export',
  nothing: 'There is nothing to export.',
  /** Frames are counted without looking at the rows that they make. */
  summary: (items: string, rows: number, size: number) =>
    `${items}${rows > 0 ? ` of ${formatQuantity(rows, 'row')}` : ''}, ${formatSize(size)}.`,
  masked: 'Masked secrets',
  maskedBefore: 'Masked when it was recorded',
  maskedNow: 'Masked in this export',
  none: 'None',
  times: (count: number) => `${formatCount(count)} ×`,
  beginning: 'Beginning of the file',
  saved: (path: string) => `Exported to ${path}`,
  send: 'Send',
  collector: 'Collector',
  endpoint: 'Address of the collector',
  endpointHint: 'Such as http://localhost:4318. Sent to this machine, or over TLS.',
  header: 'Header',
  headerHint: 'If the collector wants one. Its value is sent and kept nowhere.',
  headerValue: 'Value of the header',
  sendsTo: (address: string) => `Sends to ${address}`,
  sent: (count: number, address: string) => `Sent ${formatQuantity(count, 'span')} to ${address}`,
  rejected: (count: number, reason: string) =>
    `The collector refused ${formatQuantity(count, 'span')}: ${reason || 'it gives no reason'}`,
} as const;

export const CHOICES: Record<ExportChoice, (name: string) => string> = {
  row: (name) => `Row #${name}`,
  shown: () => 'The shown rows',
  connection: (name) => `Connection ${name}`,
  server: (name) => name,
  everything: () => 'Everything on record',
};

export const FORMATS: readonly {
  value: ExportFormat;
  label: string;
  detail: string;
  items: (count: number) => string;
}[] = [
  {
    value: 'ndjson',
    label: 'NDJSON',
    detail: 'Complete: every frame on a line, for Sightglass and for scripts',
    items: (count) => formatQuantity(count, 'frame'),
  },
  {
    value: 'html',
    label: 'HTML page',
    detail: 'One file that any browser shows and searches',
    items: (count) => formatQuantity(count, 'row'),
  },
  {
    value: 'markdown',
    label: 'Markdown',
    detail: 'A short report for an issue',
    items: (count) => formatQuantity(count, 'row'),
  },
  {
    value: 'har',
    label: 'HAR 1.2',
    detail: 'HTTP requests, for the developer tools of browsers',
    items: (count) => formatQuantity(count, 'HTTP request'),
  },
  {
    value: 'otlp',
    label: 'OTLP',
    detail: 'Spans of OpenTelemetry: a file, or to a collector',
    items: (count) => formatQuantity(count, 'span'),
  },
];
