import type { Draft } from '@/backend/bindings';

/** A draft in one line: its command line or its address. */
export function summaryOf({ endpoint }: Draft): string {
  return endpoint.type === 'stdio'
    ? [endpoint.command, ...endpoint.arguments].join(' ')
    : endpoint.url;
}
