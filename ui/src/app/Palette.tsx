import { useEffect, useMemo, useState } from 'react';
import {
  Autocomplete,
  Dialog,
  Header,
  Menu,
  MenuItem,
  MenuSection,
  Modal,
  ModalOverlay,
} from 'react-aria-components';
import { useBackend } from '@/backend/backend';
import type { ListKind, ServerView } from '@/backend/bindings';
import { classes } from '@/components/classes';
import { SearchField } from '@/components/fields';
import { Kbd } from '@/components/kbd';
import { phaseWords, StatusGlyph } from '@/components/status-glyph';
import { useDialogs } from '@/state/dialogs';
import { type Tab, useNavigation } from '@/state/navigation';
import { useServers } from '@/state/servers';
import { ACTIONS, type Action, runAction, useHandlers } from './actions';
import styles from './app.module.css';

interface Place {
  id: string;
  server: ServerView;
  tab: Tab;
  list: ListKind;
  name: string;
  title: string | null;
}

/** Finds an action, a server, or an item of any connected server, and goes there. */
export function Palette({ mode }: { mode: 'commands' | 'jump' }) {
  const close = useDialogs((state) => state.close);
  const [text, setText] = useState('');
  const actions = useMatchingActions(mode === 'commands' ? text : null);
  const servers = useMatchingServers(text);
  const places = usePlaces(mode === 'jump' || text.length > 1 ? text : null);
  const isEmpty = actions.length + servers.length + places.length === 0;

  return (
    <ModalOverlay
      isOpen
      isDismissable
      onOpenChange={(open) => {
        if (!open) close();
      }}
      className={styles.paletteBackdrop}
    >
      <Modal data-modal className={styles.paletteModal}>
        <Dialog aria-label="Command palette" className={styles.paletteDialog}>
          <Autocomplete inputValue={text} onInputChange={setText}>
            <div className={styles.paletteSearch}>
              <SearchField
                label={
                  mode === 'commands' ? 'Find an action' : 'Jump to a server, tool or resource'
                }
                autoFocus
              />
            </div>
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable by keys */}
            <div className={styles.paletteScroll} tabIndex={0}>
              <Menu
                aria-label="Matches"
                className={styles.paletteList}
                renderEmptyState={() => (
                  <p className={styles.paletteEmpty}>Nothing matches {text}.</p>
                )}
              >
                {isEmpty ? null : (
                  <>
                    {actions.length > 0 && <ActionSection actions={actions} onDone={close} />}
                    {servers.length > 0 && <ServerSection servers={servers} onDone={close} />}
                    {places.length > 0 && <PlaceSection places={places} onDone={close} />}
                  </>
                )}
              </Menu>
            </div>
          </Autocomplete>
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}

function ActionSection({ actions, onDone }: { actions: readonly Action[]; onDone: () => void }) {
  return (
    <MenuSection aria-label="Actions">
      <Header className={styles.paletteHeader}>Actions</Header>
      {actions.map(({ id, title, shortcut }) => (
        <MenuItem
          key={id}
          id={id}
          textValue={title}
          className={styles.paletteItem}
          onAction={() => {
            onDone();
            // The dialog gives focus back first; the action may then put it elsewhere.
            setTimeout(() => runAction(id));
          }}
        >
          <span className={styles.paletteTitle}>{title}</span>
          <span className={styles.paletteDetail}>{shortcut && <Kbd shortcut={shortcut} />}</span>
        </MenuItem>
      ))}
    </MenuSection>
  );
}

function ServerSection({ servers, onDone }: { servers: ServerView[]; onDone: () => void }) {
  return (
    <MenuSection aria-label="Servers">
      <Header className={styles.paletteHeader}>Servers</Header>
      {servers.map((server) => (
        <MenuItem
          key={server.id}
          id={`server ${server.id}`}
          textValue={server.name}
          className={styles.paletteItem}
          onAction={() => {
            onDone();
            useNavigation.getState().open({ server: server.id });
          }}
        >
          <StatusGlyph phase={server.status.phase} failure={server.status.failure} />
          <span className={styles.paletteTitle}>{server.name}</span>
          <span className={styles.paletteDetail}>{phaseWords(server.status.phase)}</span>
        </MenuItem>
      ))}
    </MenuSection>
  );
}

function PlaceSection({ places, onDone }: { places: readonly Place[]; onDone: () => void }) {
  return (
    <MenuSection aria-label="Tools, resources and prompts">
      <Header className={styles.paletteHeader}>Tools, resources and prompts</Header>
      {places.map((place) => (
        <MenuItem
          key={place.id}
          id={place.id}
          textValue={place.name}
          className={styles.paletteItem}
          onAction={() => {
            onDone();
            const { server, tab, list, name } = place;
            useNavigation.getState().open({ server: server.id, tab, list, item: name });
          }}
        >
          <span className={classes(styles.paletteTitle, 'mono')}>{place.name}</span>
          <span className={styles.paletteDetail}>{place.server.name}</span>
        </MenuItem>
      ))}
    </MenuSection>
  );
}

/** Puts first what has a word that begins as `text` does; otherwise the order stays. */
function bestFirst(actions: Action[], text: string): Action[] {
  const start = text.trim().toLowerCase();
  const begins = ({ title }: Action) => (` ${title.toLowerCase()}`.includes(` ${start}`) ? 0 : 1);
  return actions.toSorted((one, other) => begins(one) - begins(other));
}

/** Whether every word of `text` occurs in `candidate`. */
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

const EACH = 8;
const MOST = 60;

/** The first few items of every connected server that match. */
function usePlaces(text: string | null): readonly Place[] {
  const backend = useBackend();
  const [places, setPlaces] = useState<readonly Place[]>([]);
  useEffect(() => {
    if (text === null || text.trim() === '') {
      setPlaces([]);
      return;
    }
    let isCurrent = true;
    const timer = setTimeout(async () => {
      const live = useServers
        .getState()
        .servers.filter(({ status }) => ['ready', 'executing'].includes(status.phase));
      const found = await Promise.all(
        live.flatMap((server) =>
          LISTS.map(async ({ list, tab }) => {
            // A server that goes away meanwhile has nothing to offer.
            const window = await backend.items(server.id, list, text, 0, EACH).catch(() => null);
            return (window?.rows ?? []).map(({ name, title, index }) => ({
              id: `${server.id} ${list} ${index}`,
              server,
              tab,
              list,
              name,
              title,
            }));
          }),
        ),
      );
      if (isCurrent) setPlaces(found.flat().slice(0, MOST));
    }, 80);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [backend, text]);
  return places;
}
