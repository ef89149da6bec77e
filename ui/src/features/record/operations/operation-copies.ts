import type { Backend } from '@/backend/backend';
import type { Operation, TrafficQuery } from '@/backend/bindings';
import { formatTimestamp } from '@/lib/format';
import { copyTable, type SheetColumn, STEP } from '../detail/copies';
import type { RowsInView } from '../rows/record-rows';

const COLUMNS: readonly SheetColumn<Operation>[] = [
  ['number', ({ root }) => root.id],
  ['time', ({ root }) => formatTimestamp(root.at ?? 0)],
  ['server', ({ root }) => root.server],
  ['project', ({ root }) => root.project],
  ['method', ({ root }) => root.method],
  ['target', ({ root }) => root.target],
  ['outcome', ({ outcome }) => outcome],
  ['task', ({ task }) => task ?? ''],
  ['rounds', ({ rounds }) => rounds],
  ['questions', ({ questions }) => questions],
  ['rows', ({ parts }) => parts + 1],
  ['milliseconds', ({ duration }) => duration ?? ''],
  ['milliseconds of a person', ({ personTime }) => personTime ?? ''],
];

/** Copies the matching operations. */
export function copyOperations(backend: Backend, shown: RowsInView): void {
  const load = async (query: TrafficQuery, offset: number) => {
    const { operations: rows, total } = await backend.listTrafficOperations(query, offset, STEP);
    return { rows, total };
  };
  copyTable(load, shown, ({ root }) => root.id, COLUMNS);
}
