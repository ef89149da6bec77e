import type { ExchangeKind } from '@/backend/bindings';
import { KIND_TITLES } from '../texts';

/**
 * The kinds of rows, with the labels of their chips, in the order of the chips. Phases are no
 * choice among them: they are rows or folded away, whatever else is shown.
 */
export const KINDS: readonly { readonly kind: ExchangeKind; readonly title: string }[] = [
  { kind: 'request', title: KIND_TITLES.request },
  { kind: 'notification', title: KIND_TITLES.notification },
  { kind: 'log', title: KIND_TITLES.log },
  { kind: 'http', title: KIND_TITLES.http },
  { kind: 'oauth', title: KIND_TITLES.oauth },
  { kind: 'stderr', title: KIND_TITLES.stderr },
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
