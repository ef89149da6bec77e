import type { ServerId, TokenColumns, TokenTableView } from '@/backend/bindings';
import { MadeRows } from '@/components/virtual-table/array-rows';
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

/** The rows of a list, sorted by a column; without one as they come, the heaviest first. */
export function costRows(
  { tools, servers }: Pick<TokenTableView, 'tools' | 'servers'>,
  sort: ColumnSort | null,
): MadeRows<CostRow> {
  const heaviest = tools.tokens[0] ?? 0;
  const names = servers.map(nameOf);
  const order = sort && sortedPlaces(tools, names, sort);
  const figure = (column: readonly number[], place: number) => column[place] ?? 0;
  return new MadeRows(tools.name.length, (row) => {
    const place = order?.[row] ?? row;
    const tokens = figure(tools.tokens, place);
    return {
      index: figure(tools.index, place),
      server: names[figure(tools.server, place)] ?? '',
      name: tools.name[place] ?? '',
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

const FIGURES: Record<string, Exclude<keyof TokenColumns, 'name'>> = {
  tokens: 'tokens',
  share: 'tokens',
  description: 'descriptionTokens',
  schema: 'schemaTokens',
  name: 'nameTokens',
  bytes: 'bytes',
};

/** Returns the places of tools in the order of a column. */
function sortedPlaces(
  tools: TokenColumns,
  servers: readonly string[],
  { column, isDescending }: ColumnSort,
): readonly number[] {
  const sign = isDescending ? -1 : 1;
  const places = [...tools.name.keys()];
  const figures = FIGURES[column] && tools[FIGURES[column]];
  if (figures)
    return places.sort((one, other) => sign * ((figures[one] ?? 0) - (figures[other] ?? 0)));
  const text = (place: number) =>
    (column === 'server' ? servers[tools.server[place] ?? -1] : tools.name[place]) ?? '';
  const { compare } = new Intl.Collator('en');
  return places.sort((one, other) => sign * compare(text(one), text(other)));
}

/** A share given in tenths of a percent: `0.8 %`. */
export function shareText(permille: number): string {
  return `${(permille / 10).toFixed(1)} %`;
}
