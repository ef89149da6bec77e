import type { Backend } from '@/backend/backend';
import type { ItemKind, ListKind, NameCandidate, ServerView } from '@/backend/bindings';
import { listedServers, restoreAllLists } from '@/state/calls/lists';
import { NAMING_SCHEMES } from '@/state/clients/in-clients';
import type { Tab } from '@/state/navigation';
import { isLive } from '@/state/servers/phases';
import { useServers } from '@/state/servers/servers';
import { type Place, placeId } from './palette-entries';

const LISTS: readonly { list: ListKind; tab: Tab }[] = [
  { list: 'tools', tab: 'tools' },
  { list: 'resources', tab: 'resources' },
  { list: 'resourceTemplates', tab: 'resources' },
  { list: 'prompts', tab: 'prompts' },
];

/** The list of each kind of item, and its tab. */
const KINDS: Record<ItemKind, { list: ListKind; tab: Tab }> = {
  tool: { list: 'tools', tab: 'tools' },
  resource: { list: 'resources', tab: 'resources' },
  prompt: { list: 'prompts', tab: 'prompts' },
};

/** Items of one list that are shown. */
const MAX_PER_LIST = 8;
/** Items that are shown in all. */
const MAX_PLACES = 60;

/** The beginnings of the names that clients give: `@server:uri`, `mcp__s__t`, `/mcp__s__p`. */
const NAME_OF_CLIENT = /^(@|\/|mcp[._])/i;

/**
 * Finds the best few items of every server: those that a client calls what was typed first, then
 * those that match by their own name. Of a server that is not connected those that were seen last.
 */
export async function findPlaces(backend: Backend, text: string): Promise<readonly Place[]> {
  const live = useServers.getState().servers.filter(({ status }) => isLive(status.phase));
  await restoreAllLists(backend);
  const [named, matching] = await Promise.all([
    findNamed(backend, live, text),
    findMatching(backend, listedServers(), text),
  ]);
  const known = new Set(named.map(placeId));
  return [...named, ...matching.filter((place) => !known.has(placeId(place)))].slice(0, MAX_PLACES);
}

async function findMatching(
  backend: Backend,
  servers: readonly ServerView[],
  text: string,
): Promise<readonly Place[]> {
  const places = await Promise.all(
    servers.flatMap(({ id }) => LISTS.map((where) => itemsOf(backend, id, where, text))),
  );
  return places.flat();
}

/** The items that clients call what was typed; of a name that goes on, those that may be meant. */
async function findNamed(
  backend: Backend,
  live: readonly ServerView[],
  text: string,
): Promise<readonly Place[]> {
  const called = text.trim();
  if (!NAME_OF_CLIENT.test(called) || live.length === 0) return [];
  const ids = live.map(({ id }) => id);
  // A list that goes away meanwhile has nothing to offer.
  const candidates = await backend
    .resolveModelName([...NAMING_SCHEMES], ids, called)
    .catch((): NameCandidate[] => []);
  const found = await Promise.all(
    candidates.flatMap(({ kind, server, item, basis }) =>
      live
        .filter(({ id }) => id.slice(id.indexOf(':') + 1) === server)
        .map(async ({ id }): Promise<readonly Place[]> => {
          const where = KINDS[kind];
          if (basis === 'listed') return [{ server: id, ...where, name: item }];
          return basis === 'knownServer' ? itemsOf(backend, id, where, item) : [];
        }),
    ),
  );
  // Several clients may give the same name.
  const places = new Map(found.flat().map((place) => [placeId(place), { ...place, called }]));
  return [...places.values()];
}

async function itemsOf(
  backend: Backend,
  server: string,
  { list, tab }: { list: ListKind; tab: Tab },
  text: string,
): Promise<readonly Place[]> {
  // A server that goes away meanwhile has nothing to offer.
  const window = await backend.listItems(server, list, text, 0, MAX_PER_LIST).catch(() => null);
  return (window?.rows ?? []).map(({ name }): Place => ({ server, tab, list, name }));
}
