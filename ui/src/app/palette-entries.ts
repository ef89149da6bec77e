import type { ReactNode } from 'react';
import type { Backend } from '@/backend/backend';
import type { ItemKind, ListKind, NameCandidate, ServerView } from '@/backend/bindings';
import { match, RANK, ranked } from '@/lib/rank';
import { recall, remember } from '@/lib/remembered';
import { ACTIONS, type Action, type ActionId } from '@/state/actions';
import { listedServers, restoreAllLists } from '@/state/calls/lists';
import { NAMING_SCHEMES } from '@/state/clients/in-clients';
import type { Tab } from '@/state/navigation';
import { isLive } from '@/state/servers/phases';
import { useServers } from '@/state/servers/servers';

/** An item of a connected server. */
export interface Place {
  readonly server: string;
  readonly tab: Tab;
  readonly list: ListKind;
  readonly name: string;
  /** The text that was typed, where that is the name that a client gives it. */
  readonly called?: string;
}

/** A target of the palette. */
export interface Entry {
  readonly id: string;
  /** Stands before its title. */
  readonly glyph?: ReactNode;
  readonly title: string;
  /** Further words by which it is found. */
  readonly words?: readonly string[];
  readonly isFromWire?: boolean;
  readonly detail: ReactNode;
  readonly run: () => void;
}

export interface Section {
  readonly title: string;
  readonly entries: readonly Entry[];
}

/** Text after the sign that asks for actions alone; null without the sign. */
export function actionsOnly(text: string): string | null {
  return text.startsWith('>') ? text.slice(1) : null;
}

/** The sections with what matches, that with the best match first. */
export function matching(sections: readonly Section[], text: string): readonly Section[] {
  return sections
    .map(({ title, entries }) => ({
      title,
      entries: ranked(entries, text, (entry) => ({ name: entry.title, more: entry.words })),
    }))
    .filter(({ entries }) => entries.length > 0)
    .map((section) => ({ section, rank: rankOf(section.entries[0], text) }))
    .toSorted((one, other) => one.rank - other.rank)
    .map(({ section }) => section);
}

function rankOf(entry: Entry | undefined, text: string): number {
  return (entry && match(entry.title, text)?.rank) ?? RANK.description;
}

/**
 * Actions that are told of elsewhere in the palette, that are the palette, or that are about what
 * has the focus.
 */
const NOT_LISTED = /^(palette\.|pane\.|server\.\d$|question\.accept$)/;

/** Order of actions: those with the selected server come before those done once. */
const ORDER: readonly (Action['group'] | 'Themes')[] = [
  'Calls',
  'Servers',
  'Sign-in',
  'Tabs',
  'Setup',
  'Tests',
  'Traffic',
  'General',
  'Themes',
];

/** The actions that can be run now, in the order in which they are wanted: those at hand first. */
export function listedActions(
  canRun: (id: ActionId) => boolean,
  isAtHand: (action: Action) => boolean = () => false,
): readonly Action[] {
  const order = (action: Action) =>
    (isAtHand(action) ? 0 : ORDER.length) +
    ORDER.indexOf(action.id.startsWith('theme.') ? 'Themes' : action.group);
  return ACTIONS.filter(({ id }) => !NOT_LISTED.test(id) && canRun(id)).toSorted(
    (one, other) => order(one) - order(other),
  );
}

const RECENT = 'palette.recent';
const MAX_RECENT = 8;

/** An entry that was opened, by what it takes to offer it again. */
export type Recent = { readonly id: string; readonly place?: Place };

const isRecent = (value: unknown): value is readonly Recent[] =>
  Array.isArray(value) &&
  value.every((one) => typeof one === 'object' && one !== null && typeof one.id === 'string');

/** The entries that were opened lately, the last first. */
export function recents(): readonly Recent[] {
  return (recall(RECENT, isRecent) ?? []).map(renamed);
}

/** Reads the name that the list of templates had in earlier versions. */
function renamed(recent: Recent): Recent {
  const { place } = recent;
  if ((place?.list as string) !== 'resource_templates') return recent;
  const known = { ...place, list: 'resourceTemplates' } as Place;
  return { id: placeId(known), place: known };
}

export function rememberRecent(recent: Recent): void {
  const others = recents().filter(({ id }) => id !== recent.id);
  remember(RECENT, [recent, ...others].slice(0, MAX_RECENT));
}

export function placeId({ server, list, name }: Place): string {
  return `place ${server} ${list} ${name}`;
}

export function serverEntryId({ id }: Pick<ServerView, 'id'>): string {
  return `server ${id}`;
}

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
