import type { Backend } from '@/backend/backend';
import type { Operation, TrafficQuery } from '@/backend/bindings';
import { formatTimestamp } from '@/lib/format';
import { copyTable, STEP, spreadsheetText } from '../detail/copies';
import type { RowsInView } from '../rows/record-rows';

const HEADINGS = [
  'number',
  'time',
  'server',
  'project',
  'method',
  'target',
  'outcome',
  'task',
  'rounds',
  'questions',
  'rows',
  'milliseconds',
  'milliseconds of a person',
];

/** Copies the matching operations. */
export function copyOperations(backend: Backend, shown: RowsInView): void {
  const load = async (query: TrafficQuery, offset: number) => {
    const { operations: rows, total } = await backend.listTrafficOperations(query, offset, STEP);
    return { rows, total };
  };
  copyTable(load, shown, ({ root }) => root.id, tableText);
}

function tableText(operations: readonly Operation[]): string {
  return spreadsheetText(
    HEADINGS,
    operations.map(({ root, ...operation }) => [
      root.id,
      formatTimestamp(root.at ?? 0),
      root.server,
      root.project,
      root.method,
      root.target,
      operation.outcome,
      operation.task ?? '',
      operation.rounds,
      operation.questions,
      operation.parts + 1,
      operation.duration ?? '',
      operation.personTime ?? '',
    ]),
  );
}
