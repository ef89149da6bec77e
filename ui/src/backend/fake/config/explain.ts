import type {
  Client,
  Draft,
  DraftCheck,
  ExplanationView,
  TrustView,
  Variable,
} from '../../bindings';
import { HOME } from '../servers';
import type { FakeConfiguration } from './fake-configuration';
import type { Entry } from './text';

const SECRET = /TOKEN|KEY|SECRET|AUTHORIZATION|PASSWORD/i;

/** Every field of an entry by its path, secrets masked. */
function fieldsOf(entry: Entry): Map<string, string> {
  const fields = new Map<string, string>();
  for (const [name, value] of Object.entries(entry)) {
    if (value === undefined) continue;
    if (typeof value === 'object' && !Array.isArray(value)) {
      for (const [key, text] of Object.entries(value as Record<string, string>)) {
        fields.set(`${name}.${key}`, masked(key, text));
      }
    } else if (Array.isArray(value)) {
      value.forEach((text, index) => {
        fields.set(`${name}[${index}]`, String(text));
      });
    } else fields.set(name, String(value));
  }
  return fields;
}

function masked(name: string, text: string): string {
  return SECRET.test(name) && !text.includes('${') ? '•••' : text;
}

export function explain(world: FakeConfiguration, client: Client, name: string): ExplanationView {
  const view = world.view().clients.find((one) => one.client === client);
  const server = view?.servers.find((one) => one.name === name);
  if (!view || !server) throw { code: 'not_found', message: `There is no ${name}.`, hint: null };
  const definitions = server.cells.toReversed().map((cell) => {
    const entry = world.entry({ client, scope: cell.scope }, name) ?? {};
    const file = view.files.find(({ scope }) => scope === cell.scope);
    return { cell, entry, title: file?.title ?? cell.scope, path: file?.path ?? '' };
  });
  const [winner, ...others] = definitions;
  const all = definitions.map(({ entry }) => fieldsOf(entry));
  const names = [...new Set(all.flatMap((fields) => [...fields.keys()]))];
  const fields = names.map((field) => {
    const values = all.map((known) => known.get(field) ?? null);
    return { field, values, differs: new Set(values).size > 1 };
  });
  const state = server.state;
  const sentences = [
    `${name} comes from ${winner?.title}, line ${winner?.cell.line} of ${winner?.path}.`,
    others.length > 0
      ? `${others.map(({ title }) => title).join(' and ')} ${others.length === 1 ? 'defines' : 'define'} it too. ${winner?.title} stands above, and a server is replaced whole, so nothing of ${others.length === 1 ? 'that definition' : 'those definitions'} counts.`
      : 'No other file defines it.',
    ...(state.kind === 'refused' ? [`The managed policy ${state.rule}. Denying always wins.`] : []),
    ...(state.kind === 'disabled' ? ['The entry says not to be used.'] : []),
    ...(state.kind === 'waiting'
      ? ['It comes with the project, and nobody has approved it on this computer yet.']
      : []),
  ];
  return {
    client,
    name,
    state,
    sentences,
    definitions: definitions.map(({ cell, entry, title, path }) => ({
      scope: cell.scope,
      title,
      path,
      line: cell.line,
      column: cell.column,
      state: cell.state,
      text: JSON.stringify(
        entry,
        (key, value) => (typeof value === 'string' ? masked(key, value) : value),
        2,
      ),
    })),
    fields: fields.toSorted((one, other) => Number(other.differs) - Number(one.differs)),
    variables: winner ? variablesOf(world, winner.entry) : [],
    problems: winner?.cell.problems ?? [],
  };
}

function variablesOf(world: FakeConfiguration, entry: Entry): Variable[] {
  return [...fieldsOf(entry)].flatMap(([field, text]) =>
    [...text.matchAll(/\$\{(\w+)(?::-([^}]*))?\}/g)].map(([reference, name = '', fallback]) => {
      const value = world.variables[name];
      const secret = SECRET.test(name);
      return {
        field,
        reference,
        name,
        value: value === undefined ? (fallback ?? null) : secret ? '•••' : value,
        secret,
        origin: value !== undefined ? 'environment' : fallback !== undefined ? 'default' : 'unset',
      };
    }),
  );
}

export function check(draft: Draft): DraftCheck {
  const { endpoint } = draft;
  const isFound =
    endpoint.kind === 'stdio' && ['npx', 'uvx', 'node', 'python3'].includes(endpoint.command);
  const findings =
    endpoint.kind === 'stdio' &&
    endpoint.command !== '' &&
    !isFound &&
    !endpoint.command.includes('/')
      ? [
          {
            field: 'command',
            severity: 'warning' as const,
            message: `${endpoint.command} is not on the PATH of your login shell.`,
          },
        ]
      : [];
  return {
    findings,
    variables: [],
    program: isFound ? `${HOME}/.local/bin/${endpoint.command}` : null,
    lost: [],
  };
}

const named = (label: string, between: string, values: Record<string, string> = {}) => {
  const texts = Object.entries(values).map(([name, text]) => `${name}${between}${text}`);
  return texts.length > 0 ? [{ label, values: texts }] : [];
};

export function trust(world: FakeConfiguration, name: string): TrustView {
  const server = world
    .view()
    .clients.find((one) => one.client === 'mcp-json')
    ?.servers.find((one) => one.name === name);
  const scope = server?.scope ?? 'project';
  const entry = world.entry({ client: 'mcp-json', scope }, name) ?? {};
  return {
    server: `mcp-json:${name}`,
    name,
    project: 'acme-web',
    path: world.file({ client: 'mcp-json', scope }).path,
    line: server?.cells.at(-1)?.line ?? 1,
    waiting: server?.state.kind === 'waiting',
    changed: false,
    fingerprint: JSON.stringify(entry),
    kind: entry.command ? 'program' : 'remote',
    consequences: [
      entry.command
        ? 'Connecting starts this program on your computer, as you.'
        : `Connecting sends requests to ${new URL(entry.url ?? '').host}.`,
    ],
    rows: [
      ...(entry.command
        ? [
            { label: 'Starts', values: [[entry.command, ...(entry.args ?? [])].join(' ')] },
            { label: 'Command', values: [entry.command] },
          ]
        : []),
      ...(entry.args?.length ? [{ label: 'Arguments', values: entry.args }] : []),
      ...(entry.url ? [{ label: 'URL', values: [entry.url] }] : []),
      ...named('Environment', '=', entry.env),
      ...named('Headers', ': ', entry.headers),
    ],
    text: JSON.stringify(entry, null, 2),
  };
}
