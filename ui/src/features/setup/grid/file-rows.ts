import type {
  Client,
  ConfigFileView,
  ConfigServerView,
  ConfigurationView,
  DefinitionCell,
  DefinitionState,
  Target,
} from '@/backend/bindings';
import type { StatusLabel, Tone } from '@/components/Glyph';
import { ranked } from '@/lib/rank';
import { clientOf } from '@/state/setup/configuration';
import { serverKey } from '@/state/setup/setup-view';
import { DEFINITION, GRID } from './texts';

/** The status of a definition, or of a server in all of its files. */
interface DefinitionStatus extends StatusLabel {
  /** The part of the label that is left out where there is little room. */
  more?: string;
}

/** One file. */
export interface FileColumn {
  /** Unique among all clients. */
  key: string;
  target: Target;
  file: ConfigFileView;
  note: { tone: Tone; label: string } | null;
}

interface FileCell {
  status: DefinitionStatus;
  warning: string | undefined;
  source: DefinitionCell;
}

/** One server of one client across the files. */
export interface FileRow {
  /** Unique among all clients. */
  key: string;
  client: Client;
  name: string;
  status: DefinitionStatus;
  /** The cells by the keys of their columns. */
  cells: ReadonlyMap<string, FileCell>;
  source: ConfigServerView;
}

/** The servers that the user wants to see. */
export type Show = 'all' | 'attention' | 'several';

/** Returns the whole label of a status. */
export function fullLabel({ label, more }: DefinitionStatus): string {
  return more ? `${label} ${more}` : label;
}

export function fileKey({ client, scope }: Target): string {
  return `${client}:${scope}`;
}

export function targetOfKey(key: string): Target {
  const at = key.indexOf(':');
  return { client: key.slice(0, at) as Client, scope: key.slice(at + 1) };
}

/** The files of a client, the strongest first. */
export function columnsOf(view: ConfigurationView, client: Client): FileColumn[] {
  const files = clientOf(view, client)?.files ?? [];
  return files
    .toSorted((one, other) => other.precedence - one.precedence)
    .map((file) => {
      const target = { client, scope: file.scope };
      return { key: fileKey(target), target, file, note: noteOf(file) };
    });
}

function noteOf(file: ConfigFileView): FileColumn['note'] {
  const first = file.problems.find(({ severity }) => severity === 'error');
  switch (file.state) {
    case 'missing':
      return { tone: 'idle', label: GRID.noFile };
    case 'unreadable':
      return { tone: 'bad', label: '✕ unreadable' };
    case 'broken':
      return { tone: 'bad', label: first ? `✕ ${placeOf(first)}` : '✕ broken' };
    default:
      if (file.changedOutside !== null) return { tone: 'busy', label: '● changed' };
      return file.writable ? null : { tone: 'idle', label: 'read-only' };
  }
}

/** A place as editors write it. */
function placeOf({ line, column }: { line: number; column: number }): string {
  return `${line}:${column}`;
}

/** Each server of a client, with what stands in its cells. */
export function rowsOf(view: ConfigurationView, client: Client): FileRow[] {
  const { files, servers } = clientOf(view, client) ?? { files: [], servers: [] };
  const titles = new Map(files.map(({ scope, title }) => [scope, title]));
  return servers.map((server) => ({
    key: serverKey(client, server.name),
    client,
    name: server.name,
    status: serverStatus(server, titles),
    cells: new Map(
      server.cells.map((cell) => [
        fileKey({ client, scope: cell.scope }),
        cellOf(cell, server, titles),
      ]),
    ),
    source: server,
  }));
}

type Titles = ReadonlyMap<string, string>;

function cellOf(cell: DefinitionCell, server: ConfigServerView, titles: Titles): FileCell {
  return {
    status: definitionStatus(cell.state, server.cells.length > 1, titles),
    warning: cell.problems.find(({ severity }) => severity === 'warning')?.message,
    source: cell,
  };
}

/** A state as its cell says it. `isOneOfSeveral` tells a winner from the only definition. */
export function definitionStatus(
  state: DefinitionState,
  isOneOfSeveral: boolean,
  titles: Titles,
): DefinitionStatus {
  switch (state.type) {
    case 'wins':
      // Not the dot of a server that is ready.
      return {
        glyph: '✓',
        tone: 'ok',
        label: isOneOfSeveral ? DEFINITION.winsHere : DEFINITION.definedHere,
      };
    case 'shadowed':
      return {
        glyph: '○',
        tone: 'idle',
        label: DEFINITION.shadowed,
        more: DEFINITION.by(titles.get(state.by) ?? state.by),
      };
    case 'disabled':
      return { glyph: '◌', tone: 'idle', label: DEFINITION.disabled };
    case 'refused':
      return { glyph: '⊘', tone: 'bad', label: DEFINITION.refused };
    case 'invalid':
      return { glyph: '✕', tone: 'bad', label: DEFINITION.invalid(placeOf(state)) };
    case 'waiting':
      return { glyph: '▲', tone: 'warn', label: DEFINITION.waiting };
  }
}

/** Returns the status of a server as a whole, for where its cells are not shown. */
function serverStatus(server: ConfigServerView, titles: Titles): DefinitionStatus {
  const status = definitionStatus(server.state, server.cells.length > 1, titles);
  if (server.state.type !== 'wins') return status;
  const where = titles.get(server.scope) ?? server.scope;
  const others = server.cells.length - 1;
  return {
    ...status,
    label: DEFINITION.winsIn(where, others),
  };
}

/** Tells whether a server needs attention. */
export function wantsAttention(source: ConfigServerView): boolean {
  return (
    ['invalid', 'refused', 'waiting'].includes(source.state.type) ||
    source.changedOutside ||
    source.outdated ||
    source.cells.some(({ state, problems }) => state.type === 'invalid' || problems.length > 0)
  );
}

/** The rows that the user asked for, the best first; without a text, in the order of the view. */
export function filterRows(rows: readonly FileRow[], text: string, show: Show): readonly FileRow[] {
  const shown = rows.filter((row) => {
    if (show === 'attention' && !wantsAttention(row.source)) return false;
    return show !== 'several' || row.cells.size >= 2;
  });
  return ranked(shown, text, (row) => ({ name: row.name, more: [searchedText(row)] }));
}

const searched = new WeakMap<FileRow, string>();

/** Returns the text of a row that can be searched, made once. */
function searchedText(row: FileRow): string {
  const known = searched.get(row);
  if (known !== undefined) return known;
  const text = [
    row.source.summary,
    row.status.label,
    ...[...row.cells.values()].map(({ status }) => fullLabel(status)),
  ]
    .join('\n')
    .toLowerCase();
  searched.set(row, text);
  return text;
}
