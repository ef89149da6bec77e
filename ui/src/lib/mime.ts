import type { Delimiter } from '@/lib/table/delimited';

/** The type without its parameters. */

const essence = (mimeType: string | null | undefined) =>
  (mimeType ?? '').split(';')[0]?.trim().toLowerCase() ?? '';

/** Images that an `img` element draws. SVG in an `img` runs no script and loads nothing. */
const IMAGES = new Set([
  'image/png',
  'image/jpeg',
  'image/gif',
  'image/webp',
  'image/avif',
  'image/bmp',
  'image/svg+xml',
  'image/x-icon',
  'image/vnd.microsoft.icon',
]);

export function isImage(mimeType: string | null | undefined): boolean {
  return IMAGES.has(essence(mimeType));
}

export function isSvg(mimeType: string | null | undefined): boolean {
  return essence(mimeType) === 'image/svg+xml';
}

export function isAudio(mimeType: string | null | undefined): boolean {
  return essence(mimeType).startsWith('audio/');
}

export function isMarkdown(mimeType: string | null | undefined): boolean {
  return ['text/markdown', 'text/x-markdown'].includes(essence(mimeType));
}

export function isJson(mimeType: string | null | undefined): boolean {
  const type = essence(mimeType);
  return type === 'application/json' || type.endsWith('+json');
}

/** The separator of a table as text; undefined for what is none by its type. */
export function delimiterOf(mimeType: string | null | undefined): Delimiter | undefined {
  const type = essence(mimeType);
  if (type === 'text/csv' || type === 'application/csv') return ',';
  return type === 'text/tab-separated-values' || type === 'text/tsv' ? '\t' : undefined;
}

export function isPdf(mimeType: string | null | undefined): boolean {
  return ['application/pdf', 'application/x-pdf'].includes(essence(mimeType));
}

/** A type that may stand in a data URL: nothing but its essence, and only when it is one. */
export function safeType(mimeType: string): string {
  const type = essence(mimeType);
  return /^[a-z]+\/[\w.+-]+$/.test(type) ? type : 'application/octet-stream';
}

/** The data URL of something in base64. */
export function dataAddress(mimeType: string, base64: string): string {
  return `data:${safeType(mimeType)};base64,${base64}`;
}

const EXTENSIONS: Record<string, string> = {
  'application/json': 'json',
  'application/pdf': 'pdf',
  'audio/mpeg': 'mp3',
  'audio/wav': 'wav',
  'audio/x-wav': 'wav',
  'audio/ogg': 'ogg',
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/gif': 'gif',
  'image/webp': 'webp',
  'image/svg+xml': 'svg',
  'text/markdown': 'md',
  'text/plain': 'txt',
  'text/html': 'html',
  'text/csv': 'csv',
  'text/tab-separated-values': 'tsv',
};

/** A file name for something that a server sent. */
export function fileName(base: string, mimeType: string | null | undefined): string {
  const last = base.split(/[\\/?#]/).findLast((part) => part !== '') ?? 'part';
  const name = last.replace(/[^\w.-]+/g, '_').replace(/^\.+/, '') || 'part';
  const extension =
    EXTENSIONS[essence(mimeType)] ?? (essence(mimeType).startsWith('text/') ? 'txt' : 'bin');
  return /\.\w{1,5}$/.test(name) ? name : `${name}.${extension}`;
}
