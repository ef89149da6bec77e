import type { Tone } from '@/components/Glyph';
import { visibleText } from '@/lib/visible-text';
import { type Difference, isLackOnly } from './differences';
import { canHave, type MatrixColumn, type MatrixRow, transportsOf } from './matrix-rows';
import { NOTE } from './texts';

/** A word or two beside a switch, and the sentence that explains it. */
export interface CellNote {
  short: string | null;
  tone: Tone;
  sentence: string;
}

/** Returns what a switch means, and what is special about it. */
export function cellNote(
  row: MatrixRow,
  column: MatrixColumn,
  differences: readonly Difference[] | undefined,
): CellNote {
  const { title } = column;
  const cell = row.cells.get(column.client);
  if (!cell) return absentNote(row, column);
  const { source, state, differs } = cell;
  const place = placeOf(column, source.scope, source.cells);
  const where = NOTE.from(place);
  if (state === 'invalid' || state === 'refused') {
    const why = source.state.type === 'invalid' ? source.state.message : source.reason;
    return {
      short: NOTE[state],
      tone: 'bad',
      sentence: `${NOTE[`${state}In`](place)} ${visibleText(why)}`,
    };
  }
  if (differs && isLackOnly(differences)) {
    const fields = differences?.map(({ field }) => visibleText(field)) ?? [];
    const isLess = differences?.some(({ lackedBy }) => lackedBy === column.client) ?? false;
    return {
      short: NOTE.lackShort(fields, isLess),
      tone: 'idle',
      sentence: `${NOTE.lack(fields, isLess ? title : null)} ${where}`,
    };
  }
  if (differs) {
    const counted = differences?.filter(({ lackedBy }) => lackedBy === null) ?? [];
    const fields = counted.map(({ field }) => visibleText(field));
    return {
      short: NOTE.differsShort(fields),
      tone: 'warn',
      sentence: `${NOTE.differs(fields)} ${where}`,
    };
  }
  if (source.state.type === 'waiting') {
    // The row says it beside the name of the server.
    return { short: null, tone: 'warn', sentence: `${NOTE.waiting(title)} ${where}` };
  }
  if (state === 'off') {
    return { short: NOTE.offShort, tone: 'idle', sentence: NOTE.off(place) };
  }
  const hidden = source.cells.filter(({ scope }) => scope !== source.scope);
  if (hidden.length > 0) {
    const others = hidden.map(({ scope }) => placeOf(column, scope, source.cells));
    return { short: NOTE.shadows, tone: 'idle', sentence: `${where} ${NOTE.hidden(others)}` };
  }
  return { short: null, tone: 'idle', sentence: where };
}

function absentNote(row: MatrixRow, column: MatrixColumn): CellNote {
  const { title, view, target } = column;
  if (!canHave(row, column)) {
    const isProgramsOnly = view.expresses.transports.every((transport) => transport === 'stdio');
    const missing = transportsOf(row).find(
      (transport) => !view.expresses.transports.includes(transport),
    );
    return {
      short: isProgramsOnly ? NOTE.programsOnly : NOTE.cannotShort(missing ?? ''),
      tone: 'idle',
      sentence: isProgramsOnly ? NOTE.noAddresses(title) : NOTE.cannot(title, missing ?? ''),
    };
  }
  if (!target) return { short: NOTE.readOnly, tone: 'idle', sentence: NOTE.noFile(title) };
  const file = view.files.find(({ scope }) => scope === target.scope);
  return { short: null, tone: 'idle', sentence: NOTE.absent(title, file?.label ?? '') };
}

/** The file and line of a definition: `.mcp.json:3`. */
export function placeOf(
  { view }: MatrixColumn,
  scope: string,
  cells: readonly { scope: string; line: number }[],
): string {
  const label = view.files.find((file) => file.scope === scope)?.label ?? scope;
  const line = cells.find((cell) => cell.scope === scope)?.line;
  return line === undefined ? label : `${label}:${line}`;
}
