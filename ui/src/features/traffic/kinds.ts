import type { ExchangeKind } from '@/backend/bindings';

/**
 * The kinds of rows, with the labels of their chips, in the order of the chips. Phases are no
 * choice among them: they are rows or folded away, whatever else is shown.
 */
export const KINDS: readonly { readonly kind: ExchangeKind; readonly title: string }[] = [
  { kind: 'request', title: 'Requests' },
  { kind: 'notification', title: 'Notifications' },
  { kind: 'log', title: 'Log' },
  { kind: 'http', title: 'HTTP' },
  { kind: 'oauth', title: 'OAuth' },
  { kind: 'stderr', title: 'stderr' },
];

/** The kinds after the chip of one was pressed. All of them is the same as none. */
export function toggleKind(
  kinds: readonly ExchangeKind[],
  kind: ExchangeKind,
): readonly ExchangeKind[] {
  const toggled = kinds.includes(kind)
    ? kinds.filter((known) => known !== kind)
    : KINDS.map((known) => known.kind).filter((known) => known === kind || kinds.includes(known));
  return toggled.length === KINDS.length ? [] : toggled;
}
