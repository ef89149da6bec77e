import type { Era } from '@/backend/bindings';

/** Names an era of the protocol. */
export function eraLabel(era: Era): string {
  return era === 'modern' ? 'stateless (2026-07-28)' : 'with handshake (≤ 2025-11-25)';
}
