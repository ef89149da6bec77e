import type { ServerId, TokenCostView, ToolCost } from '@/backend/bindings';
import type { ColumnSort } from '@/components/virtual-table/columns';

/** A tool with what it costs. */
export interface CostRow {
  index: number;
  server: string;
  cost: ToolCost;
  /** Part of the heaviest tool, from 0 to 1. */
  share: number;
}

/** The rows of a list, the heaviest first, as they come. */
export function costRows({
  cost,
  servers,
}: Pick<TokenCostView, 'cost' | 'servers'>): readonly CostRow[] {
  const heaviest = cost.tools[0]?.figures.sent.tokens ?? 0;
  return cost.tools.map((tool) => ({
    index: tool.index,
    server: nameOf(servers[tool.index]),
    cost: tool,
    share: heaviest === 0 ? 0 : tool.figures.sent.tokens / heaviest,
  }));
}

/** The name in the id of a server, `client:name`. */
function nameOf(id: ServerId | undefined): string {
  return id === undefined ? '' : id.slice(id.indexOf(':') + 1);
}

const FIGURES: Record<string, (row: CostRow) => number> = {
  tokens: ({ cost }) => cost.figures.sent.tokens,
  share: ({ share }) => share,
  description: ({ cost }) => cost.description.tokens,
  schema: ({ cost }) => cost.schema.tokens,
  name: ({ cost }) => cost.namePart.tokens,
  whole: ({ cost }) => cost.figures.whole.tokens,
  bytes: ({ cost }) => cost.figures.sent.bytes,
};

/** Sorts rows by a column; without one they stay as they came, the heaviest first. */
export function sortedRows(rows: readonly CostRow[], sort: ColumnSort | null): readonly CostRow[] {
  if (!sort) return rows;
  const sign = sort.isDescending ? -1 : 1;
  const figure = FIGURES[sort.column];
  if (figure) return rows.toSorted((one, other) => sign * (figure(one) - figure(other)));
  const text = (row: CostRow) => (sort.column === 'server' ? row.server : row.cost.name);
  const compare = new Intl.Collator('en').compare;
  return rows.toSorted((one, other) => sign * compare(text(one), text(other)));
}

/** A share given in tenths of a percent: `0.8 %`. */
export function shareText(permille: number): string {
  return `${(permille / 10).toFixed(1)} %`;
}
