import type {
  Client,
  ClientView,
  ConfigAction,
  ConfigServerView,
  ConfigurationView,
  ServerId,
  Target,
  TransportName,
} from '@/backend/bindings';
import { ranked } from '@/lib/rank';
import { clientsHere, titleOf } from '@/state/setup/configuration';
import { wantsAttention } from '../grid/file-rows';

/** A client that can have servers. */
export interface MatrixColumn {
  client: Client;
  title: string;
  view: ClientView;
  /** The file that takes what is new: the user's own where it can be written. */
  target: Target | null;
}

/** The state of one server in one client. */
export interface MatrixCell {
  state: 'on' | 'off' | 'invalid' | 'refused';
  /** True if the definition is another one than that of the row. */
  differs: boolean;
  /** The server as the client has it. */
  source: ConfigServerView;
}

/** One server by its name, in all clients. */
export interface MatrixRow {
  name: string;
  /** The definition that new clients get. */
  from: Target;
  summary: string;
  cells: ReadonlyMap<Client, MatrixCell>;
}

/** The servers that the user wants to see. */
export type Show = 'all' | 'attention' | 'differ';

/**
 * Tells whether a server is one of those. `held` are the servers of which a connection waits or
 * failed, `lackOnly` the names of those that differ in what a client has no field for.
 */
export function isShown(
  { name, cells }: MatrixRow,
  show: Show,
  held?: ReadonlySet<ServerId>,
  lackOnly?: ReadonlySet<string>,
): boolean {
  const found = [...cells.values()];
  switch (show) {
    case 'all':
      return true;
    case 'differ':
      return found.some(({ differs }) => differs) && lackOnly?.has(name) !== true;
    case 'attention':
      return found.some(
        ({ source }) =>
          wantsAttention(source) || (source.server !== null && held?.has(source.server) === true),
      );
  }
}

/** The clients that are found here, each with the file that takes what is new. */
export function matrixColumns(view: ConfigurationView): MatrixColumn[] {
  return clientsHere(view).map((client) => ({
    client: client.client,
    title: titleOf(client),
    view: client,
    target: targetOf(client),
  }));
}

function targetOf({ client, files }: ClientView): Target | null {
  const writable = files.filter((file) => file.writable);
  const own = writable.find(({ scope }) => scope === 'user') ?? writable[0];
  return own ? { client, scope: own.scope } : null;
}

/** Each name once, in the order of the names. */
export function matrixRows(columns: readonly MatrixColumn[], search: string): MatrixRow[] {
  const names = new Map<string, { client: Client; server: ConfigServerView }[]>();
  for (const { client, view } of columns) {
    for (const server of view.servers) {
      const known = names.get(server.name);
      if (known) known.push({ client, server });
      else names.set(server.name, [{ client, server }]);
    }
  }
  const rows = [...names].map(([name, found]) => rowOf(name, found));
  rows.sort((one, other) => one.name.localeCompare(other.name));
  return search.trim() === ''
    ? rows
    : [...ranked(rows, search, (row) => ({ name: row.name, more: [row.summary] }))];
}

function rowOf(name: string, found: { client: Client; server: ConfigServerView }[]): MatrixRow {
  const [first] = found;
  if (!first) throw new Error('a row has a server');
  // What most clients have is what the row is about.
  const counts = new Map<string, number>();
  for (const { server } of found) counts.set(idOf(server), (counts.get(idOf(server)) ?? 0) + 1);
  const most = Math.max(...counts.values());
  const main = found.find(({ server }) => counts.get(idOf(server)) === most) ?? first;
  return {
    name,
    from: { client: main.client, scope: main.server.scope },
    summary: main.server.summary,
    cells: new Map(
      found.map(({ client, server }) => [
        client,
        {
          state: stateOf(server),
          differs: idOf(server) !== idOf(main.server),
          source: server,
        },
      ]),
    ),
  };
}

/** The same for servers that are the same. */
function idOf(server: ConfigServerView): string {
  return server.server ?? server.summary;
}

function stateOf({ state }: ConfigServerView): MatrixCell['state'] {
  switch (state.type) {
    case 'disabled':
      return 'off';
    case 'invalid':
      return 'invalid';
    case 'refused':
      return 'refused';
    default:
      return 'on';
  }
}

/** Returns the action of a switch; null where nothing can be done there. */
export function switchAction(row: MatrixRow, column: MatrixColumn): ConfigAction | null {
  const cell = row.cells.get(column.client);
  const { name, from } = row;
  if (!cell) {
    return column.target && canHave(row, column)
      ? { type: 'sync', from, name, to: [column.target] }
      : null;
  }
  const target: Target = { client: column.client, scope: cell.source.scope };
  if (cell.state === 'off') return { type: 'enable', target, names: [name] };
  const file = column.view.files.find(({ scope }) => scope === target.scope);
  if (column.view.expresses.disabled) return { type: 'disable', target, names: [name] };
  return file?.writable ? { type: 'remove', target, names: [name] } : null;
}

/** Tells whether a client speaks the transport of a server. */
export function canHave(row: MatrixRow, { view }: MatrixColumn): boolean {
  return transportsOf(row).every((transport) => view.expresses.transports.includes(transport));
}

/** The ways in which the clients reach a server. */
export function transportsOf({ cells }: MatrixRow): TransportName[] {
  return [...cells.values()].flatMap(({ source }) => source.transport ?? []);
}
