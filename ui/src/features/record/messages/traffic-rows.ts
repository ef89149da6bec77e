import type { ExchangeRow } from '@/backend/bindings';
import type { Selection } from '../filter/selection';
import { type LoadWindow, RecordRows, type RowTraits } from '../rows/record-rows';

/** The messages of a record, of which each is a row. */
export type TrafficRows = RecordRows<ExchangeRow>;

const TRAITS: RowTraits<ExchangeRow> = {
  idOf: (row) => row.id,
  isPending: (row) => row.outcome === 'pending',
  isSame: isSameRow,
};

/** Returns the messages that match a selection. */
export function trafficRows(load: LoadWindow<ExchangeRow>, selection: Selection): TrafficRows {
  return new RecordRows(load, TRAITS, selection);
}

/** Tells whether a row that came again says nothing else. */
export function isSameRow(known: ExchangeRow, row: ExchangeRow): boolean {
  return (
    known.outcome === row.outcome &&
    known.responseFrame === row.responseFrame &&
    known.size === row.size &&
    known.duration === row.duration &&
    known.target === row.target &&
    known.code === row.code &&
    known.bookmark === row.bookmark &&
    known.foldedRows === row.foldedRows &&
    known.foldedBefore.length === row.foldedBefore.length
  );
}
