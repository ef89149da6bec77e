import type { ScopeFileView, ServerId, ServerView, Target } from '@/backend/bindings';
import { isSameList } from '@/lib/shared';

/** The servers of one scope of one client, as the sidebar shows them together. */
export interface ServerGroup {
  id: string;
  /** Title of the client; of Sightglass's own files that of the scope. */
  title: string;
  /** Title of the scope, where the title is the client's. */
  scope: string | null;
  file: ScopeFileView | null;
  servers: ServerView[];
}

const BUILT_IN = 'built-in';

/**
 * Scopes of `.mcp.json` from the most particular to the most general; within the project, the
 * shared file first.
 */
const OWN_ORDER: readonly string[] = ['project', 'local', 'project-root', 'user', 'chimera'];

/** Tells whether a file is there and nothing in it counts. */
export function isFileUnusable(file: ScopeFileView | null): boolean {
  return file?.state === 'broken' || file?.state === 'unreadable';
}

/** A group's name in words: `Codex · User`, or `Project` for the scopes of `.mcp.json`. */
export function groupName({ title, scope }: ServerGroup): string {
  return scope === null ? title : `${title} · ${scope}`;
}

/**
 * Groups servers by client and scope: those that are tried, the scopes of `.mcp.json`, then the other clients in their
 * order, then what is built in. A group without servers is left out, unless its file is broken.
 * Within a group, the servers in `order` come first, in it.
 */
export function groupServers(
  servers: readonly ServerView[],
  files: readonly ScopeFileView[],
  order: readonly ServerId[] = [],
): ServerGroup[] {
  const groups = new Map<string, ServerGroup>();
  for (const file of files) {
    groups.set(keyOf(file.target), { ...namesOf(file.target, file), file, servers: [] });
  }
  const builtIn: ServerGroup = {
    id: BUILT_IN,
    title: 'Built in',
    scope: null,
    file: null,
    servers: [],
  };
  const tried: ServerGroup = { ...builtIn, id: 'tried', title: 'Not saved', servers: [] };
  for (const server of inOrder(servers, order)) {
    if (server.target === null) {
      (server.origin === 'tried' ? tried : builtIn).servers.push(server);
      continue;
    }
    const key = keyOf(server.target);
    const known = groups.get(key);
    if (known) known.servers.push(server);
    else {
      const titles = { clientTitle: server.clientTitle, title: server.scopeTitle };
      groups.set(key, { ...namesOf(server.target, titles), file: null, servers: [server] });
    }
  }
  const all = [...groups.values()];
  const own = OWN_ORDER.flatMap((scope) => groups.get(`mcp-json:${scope}`) ?? []);
  const others = all.filter((group) => !own.includes(group));
  return [tried, ...own, ...others, builtIn].filter(
    (group) => group.servers.length > 0 || isFileUnusable(group.file),
  );
}

/** Returns `after` with the groups of `before` in it that are the same. */
export function sharedGroups(
  before: readonly ServerGroup[],
  after: readonly ServerGroup[],
): readonly ServerGroup[] {
  const known = new Map(before.map((group) => [group.id, group]));
  return after.map((group) => {
    const same = known.get(group.id);
    const isSame =
      same !== undefined &&
      same.title === group.title &&
      same.scope === group.scope &&
      same.file === group.file &&
      isSameList(same.servers, group.servers);
    return isSame ? same : group;
  });
}

function inOrder(
  servers: readonly ServerView[],
  order: readonly ServerId[],
): readonly ServerView[] {
  if (order.length === 0) return servers;
  const places = new Map(order.map((id, place) => [id, place]));
  const placeOf = ({ id }: ServerView) => places.get(id) ?? order.length;
  return servers.toSorted((one, other) => placeOf(one) - placeOf(other));
}

function keyOf({ client, scope }: Target): string {
  return `${client}:${scope}`;
}

function namesOf(target: Target, titles: { clientTitle: string; title: string }) {
  const isOwn = target.client === 'mcp-json';
  return {
    id: keyOf(target),
    title: isOwn ? titles.title : titles.clientTitle,
    scope: isOwn ? null : titles.title,
  };
}

const FILE = 'file:';

/** Returns the selection of the sidebar that stands for a broken file. */
export function fileKey(file: ScopeFileView): string {
  return FILE + keyOf(file.target);
}

/** The broken file that is selected, if one is. */
export function fileOfKey(
  key: string | null,
  files: readonly ScopeFileView[],
): ScopeFileView | undefined {
  return key?.startsWith(FILE)
    ? files.find((file) => fileKey(file) === key && isFileUnusable(file))
    : undefined;
}
