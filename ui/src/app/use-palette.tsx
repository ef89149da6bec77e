import { useMemo, useState } from 'react';
import { useBackend } from '@/backend/backend';
import type { ServerView } from '@/backend/bindings';
import { Kbd } from '@/components/Kbd';
import { useAsyncEffect } from '@/components/use-async-effect';
import { type Action, type ActionId, runAction, useHandlers } from '@/state/actions';
import { useDialogs } from '@/state/dialogs';
import { type GuideSection, openGuide, sectionsOf, useGuideChapters } from '@/state/guide';
import { useNavigation } from '@/state/navigation';
import { phaseLabel } from '@/state/servers/phases';
import { useServers } from '@/state/servers/servers';
import { StatusGlyph } from '@/widgets/StatusGlyph';
import { focusInDialog } from './focus';
import {
  actionsOnly,
  type Entry,
  findPlaces,
  listedActions,
  matching,
  type Place,
  placeId,
  recents,
  type Section,
  serverEntryId,
} from './palette-entries';
import { suits } from './shortcuts';
import { PALETTE } from './texts';

/** Settings by the names that they have in their dialog. */
const SETTINGS: readonly { readonly name: string; readonly words: readonly string[] }[] = [
  { name: 'Theme', words: ['dark', 'light', 'appearance'] },
  { name: 'Show as Markdown at first', words: ['text results'] },
  { name: 'Keep for', words: ['record', 'days', 'retention'] },
  { name: 'Keep at most', words: ['record', 'size', 'retention'] },
  { name: 'Largest message', words: ['limit', 'size'] },
  { name: 'Ping servers that are idle', words: ['connections', 'keepalive'] },
];

const MAX_SERVERS = 50;
const MAX_GUIDE = 8;

/**
 * Entries of the palette for a text, and whether all of them are there. `opener` had the focus
 * before: some actions are about what that belongs to.
 */
export function usePalette(
  text: string,
  opener: Element,
): {
  readonly sections: readonly Section[];
  readonly isSettled: boolean;
} {
  const onlyActions = actionsOnly(text);
  const wanted = (onlyActions ?? text).trim();
  const actions = useActionEntries(opener);
  const servers = useServers((state) => state.servers);
  const chapters = useGuideChapters();
  const guide = useMemo(() => sectionsOf(chapters).map(guideEntry), [chapters]);
  const { places, isSettled } = usePlaces(onlyActions === null && wanted.length > 1 ? wanted : '');
  const sections = useMemo(() => {
    const all = { title: PALETTE.actions, entries: actions };
    if (onlyActions !== null) return matching([all], wanted);
    const named = [
      all,
      { title: PALETTE.servers, entries: servers.map(serverEntry) },
      { title: PALETTE.items, entries: places.map(placeEntry) },
      { title: PALETTE.settings, entries: SETTINGS.map(settingEntry) },
    ];
    if (wanted === '')
      return [recentSection([...actions, ...guide], servers), ...named.slice(0, 2)];
    // Last, since headings have the names of places.
    const [read] = matching([{ title: PALETTE.guide, entries: guide }], wanted);
    const rest = read ? [{ ...read, entries: read.entries.slice(0, MAX_GUIDE) }] : [];
    return [...matching(named, wanted), ...rest];
  }, [actions, guide, servers, places, onlyActions, wanted]);
  return {
    sections: sections
      .map(({ title, entries }) => ({
        title,
        entries: title === 'Servers' ? entries.slice(0, MAX_SERVERS) : entries,
      }))
      .filter(({ entries }) => entries.length > 0),
    isSettled,
  };
}

function useActionEntries(focused: Element): readonly Entry[] {
  const handlers = useHandlers((state) => state.handlers);
  return useMemo(
    () =>
      listedActions(
        (id) => (handlers[id]?.length ?? 0) > 0,
        (action) => suits(action, focused),
      ).map(actionEntry),
    [handlers, focused],
  );
}

/** Entries opened lately, as far as they still exist; their ids differ, as they are listed twice. */
function recentSection(actions: readonly Entry[], servers: readonly ServerView[]): Section {
  const entries = recents().flatMap(({ id, place }): Entry[] => {
    const found = place
      ? servers.some((server) => server.id === place.server)
        ? placeEntry(place)
        : undefined
      : (actions.find((action) => action.id === id) ??
        servers.map(serverEntry).find((server) => server.id === id));
    return found ? [{ ...found, id: `recent ${id}` }] : [];
  });
  return { title: 'Recent', entries };
}

function actionEntry({ id, title, group, shortcut }: Action): Entry {
  return {
    id,
    title,
    words: [group],
    detail: shortcut && <Kbd shortcut={shortcut} />,
    run: () => void runAction(id as ActionId),
  };
}

function serverEntry(server: ServerView): Entry {
  const { id, name, status } = server;
  return {
    id: serverEntryId(server),
    glyph: <StatusGlyph phase={status.phase} failure={status.failure} />,
    title: name,
    detail: phaseLabel(status.phase),
    run: () => useNavigation.getState().open({ server: id }),
  };
}

function placeEntry(place: Place): Entry & { readonly place: Place } {
  const { server, tab, list, name, called } = place;
  const servers = useServers.getState().servers;
  return {
    id: placeId(place),
    place,
    title: name,
    words: called === undefined ? [] : [called],
    isFromWire: true,
    detail: servers.find(({ id }) => id === server)?.name ?? '',
    run: () => useNavigation.getState().open({ server, tab, list, item: name }),
  };
}

function guideEntry({ chapter, heading, title, chapterTitle }: GuideSection): Entry {
  return {
    id: `guide ${chapter} ${heading ?? ''}`,
    title,
    words: [PALETTE.guide, chapterTitle],
    detail: heading && chapterTitle,
    run: () => setTimeout(() => openGuide({ chapter, heading })),
  };
}

function settingEntry({ name, words }: (typeof SETTINGS)[number]): Entry {
  return {
    id: `setting ${name}`,
    title: name,
    words: [PALETTE.settings, ...words],
    detail: PALETTE.settings,
    run: () =>
      setTimeout(() => {
        useDialogs.getState().show({ kind: 'settings' });
        focusInDialog(name);
      }),
  };
}

/** Milliseconds for which the typing has to rest before servers are asked. */
const TYPING_DELAY = 80;

/** The best few items of every server, and whether they are of `wanted`. */
function usePlaces(wanted: string): { places: readonly Place[]; isSettled: boolean } {
  const backend = useBackend();
  const [found, setFound] = useState<{ text: string; places: readonly Place[] }>(NOWHERE);
  useAsyncEffect(() => {
    if (wanted === '') {
      setFound(NOWHERE);
      return null;
    }
    return {
      start: () => findPlaces(backend, wanted),
      onValue: (places) => setFound({ text: wanted, places }),
      delay: TYPING_DELAY,
    };
  }, [backend, wanted]);
  return { places: wanted === '' ? [] : found.places, isSettled: found.text === wanted };
}

const NOWHERE = { text: '', places: [] };
