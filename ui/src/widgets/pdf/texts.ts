/** All texts of PDF documents, in one place. */
import { formatCount, formatQuantity, formatSize } from '@/lib/format';

export const PDF = {
  label: (name: string) => `Pages of ${name}`,
  show: (size: number) => `Show the PDF (${formatSize(size)})`,
  loading: 'Reading the PDF…',
  pages: (count: number) => formatQuantity(count, 'page'),
  page: (number: number, count: number) => `Page ${formatCount(number)} of ${formatCount(count)}`,
  cut: (count: number) => `▲ Only the first ${formatCount(count)} pages are shown.`,
  notDrawn: 'This page cannot be drawn.',
  broken: 'This is not a PDF, or a broken one.',
  locked: 'This PDF is protected by a password.',
  noBase64: 'The data is not base64.',
  tooSlow: 'Reading this PDF takes too long.',
  noReader: 'The reader of PDF could not be started.',
  closed: 'The PDF was closed.',
  saveHint: 'Save it to open it in another program.',
  save: 'Save as…',
} as const;
