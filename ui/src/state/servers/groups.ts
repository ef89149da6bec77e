import type { ScopeFileView, ServerId, ServerView, Target } from '@/backend/bindings';
import { recall } from '@/lib/remembered';
import { isSameList } from '@/lib/shared';
import { hasConnection } from './phases';

/** A part of the sidebar: what is connected, and where the rest comes from. */
export type GroupId = keyof typeof GROUP_TITLES;

/** Titles of the parts, in their order. */
const GROUP_TITLES = {
  tried: 'Not saved',
  connected: 'Connected',
  project: 'This project',
  yours: 'Yours',
  'built-in': 'Built in',
} as const;

export interface ServerGroup {
  id: GroupId;
  title: string;
  /** Files of which nothing counts. */
  files: ScopeFileView[];
  servers: ServerView[];
}

/** Tells whether a file is there and nothing in it counts. */
export function isFileUnusable({ state }: ScopeFileView): boolean {
  return state === 'broken' || state === 'unreadable';
}

/** Tells whether what a scope holds is of this project alone. */
function isOfProject({ scope }: Target): boolean {
  return /^(project|local|workspace)/.test(scope);
}

function groupOf(server: ServerView): GroupId {
  // What is in no file yet has to be saved, connected or not.
  if (server.origin === 'tried') return 'tried';
  if (hasConnection(server)) return 'connected';
  if (server.target === null) return 'built-in';
  return isOfProject(server.target) ? 'project' : 'yours';
}

/**
 * Groups servers: those that are tried, those that are connected, those of this project, those of the user, and what is
 * built in. A group with nothing in it is left out. Within a group, the servers in `order` come
 * first, in it.
 */
export function groupServers(
  servers: readonly ServerView[],
  files: readonly ScopeFileView[],
  order: readonly ServerId[] = [],
): ServerGroup[] {
  const titles = Object.entries(GROUP_TITLES) as [GroupId, string][];
  const groups = titles.map(([id, title]): ServerGroup => ({ id, title, files: [], servers: [] }));
  const group = (id: GroupId) => groups.find((known) => known.id === id);
  for (const server of inOrder(servers, order)) group(groupOf(server))?.servers.push(server);
  const unusable = files.filter(isFileUnusable);
  // Several clients may read one file.
  for (const file of new Map(unusable.toReversed().map((one) => [one.path, one])).values()) {
    group(isOfProject(file.target) ? 'project' : 'yours')?.files.unshift(file);
  }
  return groups.filter((known) => known.servers.length > 0 || known.files.length > 0);
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
      isSameList(same.files, group.files) &&
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

/** The name under which this window remembers the groups that are collapsed. */
export const FOLDED = 'sidebar.folded';

const areTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string');

/** Returns the groups that the user has collapsed, as this window remembers them. */
export function foldedGroups(): readonly string[] {
  return recall(FOLDED, areTexts) ?? [];
}

/** The most servers among which one is found without a filter. */
export const MAX_WITHOUT_FILTER = 12;
