import type { DiffLine, Draft, PlannedView, Scope, ServerId, ServerView } from '../bindings';
import { entryOf, httpServer, SCOPES, stdioServer } from './servers';
import type { FakeWorld } from './world';

/** The draft that an entry amounts to. */
export function draftOf(server: ServerView): Draft {
  const entry = JSON.parse(entryOf(server) || '{}') as {
    command?: string;
    args?: string[];
    env?: Record<string, string>;
    cwd?: string;
    url?: string;
    headers?: Record<string, string>;
  };
  const named = (values: Record<string, string> = {}) =>
    Object.entries(values).map(([name, text]) => ({ name, text }));
  return {
    name: server.name,
    era: server.era,
    endpoint:
      entry.url === undefined
        ? {
            kind: 'stdio',
            command: entry.command ?? '',
            arguments: entry.args ?? [],
            environment: named(entry.env),
            working_directory: entry.cwd ?? null,
          }
        : {
            kind: 'remote',
            transport: 'http',
            url: entry.url,
            headers: named(entry.headers),
            ca_file: null,
            fingerprint: null,
          },
  };
}

function serverOf(draft: Draft, scope: Scope): ServerView {
  const { name, endpoint } = draft;
  const values = (named: { name: string; text: string }[]) =>
    named.length > 0 ? Object.fromEntries(named.map(({ name, text }) => [name, text])) : undefined;
  return endpoint.kind === 'stdio'
    ? stdioServer({
        name,
        scope,
        line: 3,
        command: endpoint.command,
        args: endpoint.arguments,
        environment: values(endpoint.environment),
      })
    : httpServer({ name, scope, line: 3, url: endpoint.url, headers: values(endpoint.headers) });
}

function lines(server: ServerView): string[] {
  return `${JSON.stringify(server.name)}: ${entryOf(server)}`
    .split('\n')
    .map((line) => `    ${line}`);
}

/** Numbers the lines as they stand before and after the change. */
function numbered(parts: readonly Pick<DiffLine, 'kind' | 'text'>[]): DiffLine[] {
  let before = 0;
  let after = 0;
  return parts.map(({ kind, text }) => {
    if (kind !== 'added') before += 1;
    if (kind !== 'removed') after += 1;
    return {
      kind,
      text,
      before: kind === 'added' ? null : before,
      after: kind === 'removed' ? null : after,
    };
  });
}

function inFile(server: ServerView | undefined, kind: DiffLine['kind']) {
  return server ? lines(server).map((text) => ({ kind, text })) : [];
}

const kept = (text: string) => ({ kind: 'kept' as const, text });

export function planDraft(world: FakeWorld, draft: Draft, scope: Scope): PlannedView {
  const { path } = SCOPES[scope];
  const before = world.snapshot.servers.find(
    (server) => server.name === draft.name && server.scope === scope,
  );
  const others = world.snapshot.servers.filter(
    (server) => server.scope === scope && server !== before,
  );
  return {
    path,
    creates_file: others.length === 0 && before === undefined,
    replaces: before !== undefined,
    diff: numbered([
      kept('{'),
      kept('  "mcpServers": {'),
      ...others.flatMap((server) => inFile(server, 'kept')),
      ...inFile(before, 'removed'),
      ...inFile(serverOf(draft, scope), 'added'),
      kept('  }'),
      kept('}'),
    ]),
    remaining_problems: [],
  };
}

export function saveDraft(world: FakeWorld, draft: Draft, scope: Scope): ServerId {
  const saved = serverOf(draft, scope);
  const { servers } = world.snapshot;
  world.snapshot.servers = [saved, ...servers.filter((server) => server.id !== saved.id)];
  world.snapshot.files = world.snapshot.files.map((file) =>
    file.scope === scope ? { ...file, state: 'loaded' } : file,
  );
  world.tellServers();
  return saved.id;
}

export function planRemoval(world: FakeWorld, id: ServerId): PlannedView {
  const server = world.server(id);
  return {
    path: server.path ?? '',
    creates_file: false,
    replaces: true,
    diff: numbered([
      kept('{'),
      kept('  "mcpServers": {'),
      ...inFile(server, 'removed'),
      kept('  }'),
      kept('}'),
    ]),
    remaining_problems: [],
  };
}

export function removeServer(world: FakeWorld, id: ServerId): void {
  world.snapshot.servers = world.snapshot.servers.filter((server) => server.id !== id);
  world.tellServers();
}
