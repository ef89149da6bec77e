import { type KeyboardEvent, type ReactNode, useEffect, useId, useMemo, useState } from 'react';
import { Dialog, Modal, ModalOverlay } from 'react-aria-components';
import { type Backend, useBackend } from '@/backend/backend';
import type { ListKind, ServerView } from '@/backend/bindings';
import { classes } from '@/components/classes';
import { Kbd } from '@/components/Kbd';
import { useAsyncEffect } from '@/components/use-async-effect';
import { ACTIONS, type Action, runAction, useHandlers } from '@/state/actions';
import { useDialogs } from '@/state/dialogs';
import { type Tab, useNavigation } from '@/state/navigation';
import { isLive, phaseLabel } from '@/state/phases';
import { useServers } from '@/state/servers';
import { StatusGlyph } from '@/widgets/StatusGlyph';
import styles from './app.module.css';

interface Place {
  id: string;
  server: ServerView;
  tab: Tab;
  list: ListKind;
  name: string;
}

/** A target of the palette. */
interface Match {
  id: string;
  /** Stands before its title. */
  glyph?: ReactNode;
  title: string;
  isFromWire?: boolean;
  detail: ReactNode;
  run: () => void;
}

/**
 * Finds an action, a server, or an item of any connected server, and goes there. The first match
 * is marked as soon as it is there, so that Enter opens it; an Enter that comes before the matches
 * of what was typed opens the first of them once they arrive.
 */
export function Palette({ mode }: { mode: 'commands' | 'jump' }) {
  const close = useDialogs((state) => state.close);
  const [text, setText] = useState('');
  const [active, setActive] = useState(0);
  const [isEntered, setEntered] = useState(false);
  const actions = useMatchingActions(mode === 'commands' ? text : null);
  const servers = useMatchingServers(text);
  const { places, isSettled } = usePlaces(mode === 'jump' || text.length > 1 ? text : null);
  const id = useId();

  const sections = [
    { title: 'Actions', matches: actions.map(actionMatch) },
    { title: 'Servers', matches: servers.map(serverMatch) },
    { title: 'Tools, resources and prompts', matches: places.map(placeMatch) },
  ].filter(({ matches }) => matches.length > 0);
  const all = sections.flatMap((section): readonly Match[] => section.matches);
  const current = Math.max(0, Math.min(active, all.length - 1));
  // Places come last and late: while they are of an earlier text, only what is before them counts.
  const isCertain = isSettled || current > 0 || actions.length + servers.length > 0;
  const label = mode === 'commands' ? 'Find an action' : 'Jump to a server, tool or resource';

  const open = (match: Match | undefined) => {
    if (!match) return;
    close();
    match.run();
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: opens once, with the matches of now.
  useEffect(() => {
    if (!isEntered || !isSettled) return;
    setEntered(false);
    open(all[0]);
  }, [isEntered, isSettled]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: follows the mark.
  useEffect(() => {
    document.getElementById(`${id}-${current}`)?.scrollIntoView({ block: 'nearest' });
  }, [id, current, text]);

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Enter') {
      if (isCertain) open(all[current]);
      else setEntered(true);
    } else if (event.key === 'ArrowDown') setActive((current + 1) % Math.max(1, all.length));
    else if (event.key === 'ArrowUp') setActive(current === 0 ? all.length - 1 : current - 1);
    else return;
    event.preventDefault();
  };

  let index = -1;
  return (
    <ModalOverlay
      isOpen
      isDismissable
      onOpenChange={(isOpen) => {
        if (!isOpen) close();
      }}
      className={styles.paletteBackdrop}
    >
      <Modal data-modal className={styles.paletteModal}>
        <Dialog aria-label="Command palette" className={styles.paletteDialog}>
          <div className={styles.paletteSearch}>
            <input
              type="text"
              role="combobox"
              aria-label={label}
              aria-autocomplete="list"
              aria-expanded={all.length > 0}
              aria-controls={all.length > 0 ? id : undefined}
              aria-activedescendant={all.length > 0 ? `${id}-${current}` : undefined}
              placeholder={label}
              value={text}
              autoFocus
              spellCheck={false}
              autoComplete="off"
              className={styles.paletteInput}
              onChange={(event) => {
                setText(event.target.value);
                setActive(0);
                setEntered(false);
              }}
              onKeyDown={onKeyDown}
            />
          </div>
          {all.length === 0 ? (
            isSettled && <p className={styles.paletteEmpty}>Nothing matches {text}.</p>
          ) : (
            <div
              id={id}
              role="listbox"
              aria-label="Matches"
              tabIndex={-1}
              className={styles.paletteList}
              // The field keeps the focus.
              onMouseDown={(event) => event.preventDefault()}
            >
              {sections.map((section) => (
                // biome-ignore lint/a11y/useSemanticElements: a fieldset is no part of a list.
                <div key={section.title} role="group" aria-label={section.title}>
                  <div className={styles.paletteHeader} aria-hidden="true">
                    {section.title}
                  </div>
                  {section.matches.map((match) => {
                    index += 1;
                    const here = index;
                    return (
                      // biome-ignore lint/a11y/useKeyWithClickEvents: the field takes the keys.
                      <div
                        key={match.id}
                        id={`${id}-${here}`}
                        role="option"
                        tabIndex={-1}
                        aria-selected={here === current}
                        className={styles.paletteItem}
                        onPointerMove={() => {
                          if (here !== current) setActive(here);
                        }}
                        onClick={() => open(match)}
                      >
                        {match.glyph}
                        <span className={classes(styles.paletteTitle, match.isFromWire && 'mono')}>
                          {match.title}
                        </span>
                        <span className={styles.paletteDetail}>{match.detail}</span>
                      </div>
                    );
                  })}
                </div>
              ))}
            </div>
          )}
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}

function actionMatch({ id, title, shortcut }: Action): Match {
  return {
    id,
    title,
    detail: shortcut && <Kbd shortcut={shortcut} />,
    // The dialog gives focus back first; the action may then put it elsewhere.
    run: () => setTimeout(() => runAction(id)),
  };
}

function serverMatch({ id, name, status }: ServerView): Match {
  return {
    id: `server ${id}`,
    glyph: <StatusGlyph phase={status.phase} failure={status.failure} />,
    title: name,
    detail: phaseLabel(status.phase),
    run: () => useNavigation.getState().open({ server: id }),
  };
}

function placeMatch({ id, server, tab, list, name }: Place): Match {
  return {
    id,
    title: name,
    isFromWire: true,
    detail: server.name,
    run: () => useNavigation.getState().open({ server: server.id, tab, list, item: name }),
  };
}

/** Puts first what has a word that begins as `text` does; otherwise the order stays. */
function bestFirst(actions: Action[], text: string): Action[] {
  const start = text.trim().toLowerCase();
  const begins = ({ title }: Action) => (` ${title.toLowerCase()}`.includes(` ${start}`) ? 0 : 1);
  return actions.toSorted((one, other) => begins(one) - begins(other));
}

/** Tells whether every word of `text` occurs in `candidate`. */
function matches(candidate: string, text: string): boolean {
  const lower = candidate.toLowerCase();
  return text
    .toLowerCase()
    .split(/\s+/)
    .every((word) => lower.includes(word));
}

function useMatchingActions(text: string | null): readonly Action[] {
  const handlers = useHandlers((state) => state.handlers);
  return useMemo(
    () =>
      text === null
        ? []
        : bestFirst(
            ACTIONS.filter(
              ({ id, title, group }) =>
                id !== 'palette.open' &&
                !/^server\.\d$/.test(id) &&
                (handlers[id]?.length ?? 0) > 0 &&
                matches(`${group} ${title}`, text),
            ),
            text,
          ),
    [handlers, text],
  );
}

function useMatchingServers(text: string): ServerView[] {
  const servers = useServers((state) => state.servers);
  return useMemo(
    () => servers.filter((server) => matches(server.name, text)).slice(0, 50),
    [servers, text],
  );
}

const LISTS: readonly { list: ListKind; tab: Tab }[] = [
  { list: 'tools', tab: 'tools' },
  { list: 'resources', tab: 'resources' },
  { list: 'resource_templates', tab: 'resources' },
  { list: 'prompts', tab: 'prompts' },
];

/** Items of one list that are shown. */
const MAX_PER_LIST = 8;
/** Items that are shown in all. */
const MAX_PLACES = 60;
/** Milliseconds for which the typing has to rest before servers are asked. */
const TYPING_DELAY = 80;

/** Finds the first few items of every connected server that match. */
async function findPlaces(backend: Backend, text: string): Promise<readonly Place[]> {
  const live = useServers.getState().servers.filter(({ status }) => isLive(status.phase));
  const places = await Promise.all(
    live.flatMap((server) =>
      LISTS.map(async ({ list, tab }) => {
        // A server that goes away meanwhile has nothing to offer.
        const window = await backend
          .items(server.id, list, text, 0, MAX_PER_LIST)
          .catch(() => null);
        return (window?.rows ?? []).map(({ name, index }) => ({
          id: `${server.id} ${list} ${index}`,
          server,
          tab,
          list,
          name,
        }));
      }),
    ),
  );
  return places.flat().slice(0, MAX_PLACES);
}

/** The first few items of every connected server that match, and whether they are of `text`. */
function usePlaces(text: string | null): { places: readonly Place[]; isSettled: boolean } {
  const backend = useBackend();
  const wanted = text?.trim() ?? '';
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
