import type { Scope, ScopeFileView, ServerView } from '@/backend/bindings';

/** The servers of one scope, as the sidebar shows them together. */
export interface ServerGroup {
  id: Scope | 'built-in';
  title: string;
  file: ScopeFileView | null;
  servers: ServerView[];
}

/**
 * Scopes from the most particular to the most general; within the project, the shared file first.
 */
const ORDER: readonly Scope[] = ['project', 'local', 'project_root', 'user', 'chimera'];

/** Tells whether a file is there and nothing in it counts. */
export function isFileUnusable(file: ScopeFileView | null): boolean {
  return file?.state === 'broken' || file?.state === 'unreadable';
}

/** Groups servers by scope. A scope without servers is left out, unless its file is broken. */
export function groupServers(
  servers: readonly ServerView[],
  files: readonly ScopeFileView[],
): ServerGroup[] {
  const scoped = ORDER.map((scope): ServerGroup => {
    const file = files.find((known) => known.scope === scope) ?? null;
    return {
      id: scope,
      title: file?.title ?? scope,
      file,
      servers: servers.filter((server) => server.scope === scope),
    };
  });
  const builtIn: ServerGroup = {
    id: 'built-in',
    title: 'Built in',
    file: null,
    servers: servers.filter((server) => server.scope === null),
  };
  return [...scoped, builtIn].filter(
    (group) => group.servers.length > 0 || isFileUnusable(group.file),
  );
}

const FILE = 'file:';

/** Returns the selection of the sidebar that stands for a broken file. */
export function fileKey(file: ScopeFileView): string {
  return FILE + file.scope;
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
