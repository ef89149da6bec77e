import { LosslessNumber } from 'lossless-json';
import { type ExactValue, isExactObject, readExact } from '@/lib/json/exact';
import { type Cell, MAX_COLUMNS, MAX_ROWS, type Table } from './table';

/**
 * Reads JSON that is a table: an array of objects whose members are no objects and no arrays; also
 * where it is the one member of an object. Undefined for all else.
 */
export function readJsonTable(text: string): Table | undefined {
  let value = readExact(text);
  if (isExactObject(value)) {
    const members = Object.values(value);
    if (members.length !== 1 || members[0] === undefined) return undefined;
    [value] = members as [ExactValue];
  }
  if (!Array.isArray(value) || value.length === 0 || !value.every(isFlat)) return undefined;
  const names = new Set<string>();
  for (const row of value) for (const name of Object.keys(row)) names.add(name);
  const columns = [...names].slice(0, MAX_COLUMNS);
  if (columns.length === 0) return undefined;
  return {
    columns,
    rows: value.slice(0, MAX_ROWS).map((row) => columns.map((name) => cellOf(row[name]))),
    isCut: value.length > MAX_ROWS || names.size > MAX_COLUMNS,
  };
}

type Flat = Record<string, ExactValue>;

function isFlat(value: ExactValue): value is Flat {
  return isExactObject(value) && Object.values(value).every(isScalar);
}

function isScalar(value: ExactValue): boolean {
  return typeof value !== 'object' || value === null || value instanceof LosslessNumber;
}

function cellOf(value: ExactValue | undefined): Cell {
  if (value === undefined) return undefined;
  return typeof value === 'string' ? value : String(value);
}
