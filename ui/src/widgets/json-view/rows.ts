import { type ExactValue, isExactNumber, isExactObject, stringifyExact } from '@/lib/json/exact';
import { toPointer } from '@/lib/json/pointer';

/** One row of the tree. */
export interface TreeRow {
  /** JSON pointer; the row that closes a container has its own. */
  pointer: string;
  path: readonly (string | number)[];
  depth: number;
  /** The member's name; items of arrays have none. */
  name: string | undefined;
  kind: 'open' | 'closed' | 'leaf' | 'end';
  /** A container's brackets, or the value as JSON. */
  text: string;
  tone: 'string' | 'number' | 'literal' | 'bracket';
  /** The number of members or items of a container. */
  count: number;
  comma: boolean;
  value: ExactValue;
}

/** Containers deeper than this start closed. */
const MAX_OPEN_DEPTH = 4;
/** A container with more members than this starts closed, unless it is the whole value. */
const MAX_OPEN_MEMBERS = 200;

function startsOpen(value: ExactValue, depth: number): boolean {
  if (depth === 0) return true;
  return depth < MAX_OPEN_DEPTH && sizeOf(value) <= MAX_OPEN_MEMBERS;
}

function sizeOf(value: ExactValue): number {
  if (Array.isArray(value)) return value.length;
  return isExactObject(value) ? Object.keys(value).length : 0;
}

/** The rows in view order; `toggled` holds the containers that the user opened or closed. */
export function rowsOf(root: ExactValue, toggled: ReadonlySet<string>): TreeRow[] {
  const rows: TreeRow[] = [];
  visit(root, [], undefined, false);
  return rows;

  function visit(
    value: ExactValue,
    path: readonly (string | number)[],
    name: string | undefined,
    comma: boolean,
  ) {
    const depth = path.length;
    const pointer = toPointer(path);
    const base = { pointer, path, depth, name, comma, value };
    const isArray = Array.isArray(value);
    if (!isArray && !isExactObject(value)) {
      rows.push({
        ...base,
        kind: 'leaf',
        text: stringifyExact(value, 0),
        tone: toneOf(value),
        count: 0,
      });
      return;
    }
    const count = sizeOf(value);
    const [opening, closing] = isArray ? ['[', ']'] : ['{', '}'];
    if (count === 0) {
      rows.push({ ...base, kind: 'leaf', text: opening + closing, tone: 'bracket', count });
      return;
    }
    const isOpen = startsOpen(value, depth) !== toggled.has(pointer);
    if (!isOpen) {
      rows.push({ ...base, kind: 'closed', text: `${opening}…${closing}`, tone: 'bracket', count });
      return;
    }
    rows.push({ ...base, comma: false, kind: 'open', text: opening, tone: 'bracket', count });
    const members: [string | number, ExactValue][] = isArray
      ? value.map((item, index) => [index, item])
      : Object.entries(value);
    members.forEach(([step, item], index) => {
      const last = index === members.length - 1;
      visit(item, [...path, step], typeof step === 'string' ? step : undefined, !last);
    });
    rows.push({ ...base, name: undefined, kind: 'end', text: closing, tone: 'bracket', count });
  }
}

function toneOf(value: ExactValue): TreeRow['tone'] {
  if (typeof value === 'string') return 'string';
  return isExactNumber(value) ? 'number' : 'literal';
}
