import type { Operation, OperationPage, TrafficQuery } from '@/backend/bindings';
import type { Selection } from '../filter/selection';
import { isSameRow } from '../messages/traffic-rows';
import { RecordRows, type RowTraits } from '../rows/record-rows';

/** Asks for operations; `offset` counts from the newest. */
export type LoadOperations = (
  query: TrafficQuery,
  offset: number,
  limit: number,
) => Promise<OperationPage>;

const TRAITS: RowTraits<Operation> = {
  idOf: (operation) => operation.root.id,
  isPending: (operation) => operation.outcome === 'pending',
  isSame: (known, operation) =>
    isSameRow(known.root, operation.root) &&
    known.outcome === operation.outcome &&
    known.parts === operation.parts &&
    known.task === operation.task &&
    known.rounds === operation.rounds &&
    known.questions === operation.questions &&
    known.lateResult === operation.lateResult &&
    known.sure === operation.sure &&
    known.duration === operation.duration &&
    known.personTime === operation.personTime &&
    known.waitsForPerson === operation.waitsForPerson,
};

/** Returns the operations of which a message matches a selection. */
export function operationList(load: LoadOperations, selection: Selection): RecordRows<Operation> {
  return new RecordRows(
    async (query, offset, limit) => {
      const { operations: rows, ...page } = await load(query, offset, limit);
      return { ...page, rows };
    },
    TRAITS,
    selection,
  );
}
