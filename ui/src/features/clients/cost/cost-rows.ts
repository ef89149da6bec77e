import type { ServerId, TokenTableView } from '@/backend/bindings';
import type { ColumnSort } from '@/components/virtual-table/columns';

/** A tool with what it costs. */
export interface CostRow {
  index: number;
  server: string;
  name: string;
  tokens: number;
  bytes: number;
  nameTokens: number;
  descriptionTokens: number;
  schemaTokens: number;
  /** Part of the heaviest tool, from 0 to 1. */
  share: number;
}

/** The rows of a list, the heaviest first, as they come. */
export function costRows({
  tools,
  servers,
}: Pick<TokenTableView, 'tools' | 'servers'>): readonly CostRow[] {
  const heaviest = tools.tokens[0] ?? 0;
  const names = servers.map(nameOf);
  const figure = (column: readonly number[], place: number) => column[place] ?? 0;
  return tools.name.map((name, place) => {
    const tokens = figure(tools.tokens, place);
    return {
      index: figure(tools.index, place),
      server: names[figure(tools.server, place)] ?? '',
      name,
      tokens,
      bytes: figure(tools.bytes, place),
      nameTokens: figure(tools.nameTokens, place),
      descriptionTokens: figure(tools.descriptionTokens, place),
      schemaTokens: figure(tools.schemaTokens, place),
      share: heaviest === 0 ? 0 : tokens / heaviest,
    };
  });
}

/** The name in the id of a server, `client:name`. */
function nameOf(id: ServerId): string {
  return id.slice(id.indexOf(':') + 1);
}

const FIGURES: Record<string, (row: CostRow) => number> = {
  tokens: ({ tokens }) => tokens,
  share: ({ share }) => share,
  description: ({ descriptionTokens }) => descriptionTokens,
  schema: ({ schemaTokens }) => schemaTokens,
  name: ({ nameTokens }) => nameTokens,
  bytes: ({ bytes }) => bytes,
};

/** Sorts rows by a column; without one they stay as they came, the heaviest first. */
export function sortedRows(rows: readonly CostRow[], sort: ColumnSort | null): readonly CostRow[] {
  if (!sort) return rows;
  const sign = sort.isDescending ? -1 : 1;
  const figure = FIGURES[sort.column];
  if (figure) return rows.toSorted((one, other) => sign * (figure(one) - figure(other)));
  const text = (row: CostRow) => (sort.column === 'server' ? row.server : row.name);
  const compare = new Intl.Collator('en').compare;
  return rows.toSorted((one, other) => sign * compare(text(one), text(other)));
}

/** A share given in tenths of a percent: `0.8 %`. */
export function shareText(permille: number): string {
  return `${(permille / 10).toFixed(1)} %`;
}
