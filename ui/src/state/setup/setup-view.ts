import { create } from 'zustand';
import type { Client, ServerId, ServerView, Target } from '@/backend/bindings';
import type { TextPlace } from '@/lib/text-place';
import { type SettingsSection, type Tab, useNavigation } from '@/state/navigation';
import { useServers } from '@/state/servers/servers';

/** The subject of the editor: a server of a file, or the file's text. */
export interface Editing {
  target: Target;
  /** The server whose form is shown; without it, only the text is. */
  name: string | null;
  /** The place in the text at which to begin. */
  place: TextPlace | null;
}

/** The selection: some servers of one or more clients, or one file. */
export type Selected =
  | { kind: 'servers'; keys: ReadonlySet<string> }
  | { kind: 'file'; target: Target };

/** A page of a client: its files in order of precedence, or what its model gets. */
export type ClientPage = 'files' | 'gets';

/** The tab in which *Edit* was pressed. */
interface Origin {
  server: ServerId;
  tab: Tab;
  section?: SettingsSection;
}

interface SetupViewState {
  /** The client whose head was opened; null for the matrix of servers and clients. */
  client: Client | null;
  page: ClientPage;
  selected: Selected;
  /** The server that is explained below the matrix, by its name. */
  explained: string | null;
  editing: Editing | null;
  /** The place to go back to from the editor; null for Setup. */
  origin: Origin | null;
  /** True if the text or the form that is edited differs from its file. */
  hasChanges: boolean;
  openClient(client: Client | null, page?: ClientPage): void;
  select(selected: Selected): void;
  explain(name: string): void;
  /** Closes the editor, and goes back to where *Edit* was pressed. */
  endEditing(): void;
  setChanges(hasChanges: boolean): void;
}

export const useSetupView = create<SetupViewState>((set, get) => ({
  client: null,
  page: 'files',
  selected: { kind: 'servers', keys: new Set() },
  explained: null,
  editing: null,
  origin: null,
  hasChanges: false,
  openClient: (client, page) =>
    set((state) => ({
      client,
      page: page ?? state.page,
      // The server that was looked at is looked at there too; a file is of its client alone.
      ...(client !== null &&
        client !== state.client && {
          selected: {
            kind: 'servers',
            keys: new Set(state.explained === null ? [] : [serverKey(client, state.explained)]),
          },
        }),
    })),
  select: (selected) => set({ selected }),
  explain: (explained) => set({ explained }),
  endEditing: () => {
    const { editing, origin } = get();
    if (editing === null) return;
    set({ editing: null, hasChanges: false, origin: null });
    const { open, openSetup } = useNavigation.getState();
    // Whatever had the focus went with the editor.
    if (origin) open(origin);
    else openSetup();
  },
  setChanges: (hasChanges) => set({ hasChanges }),
}));

// Setup begins with the server that one comes from.
useNavigation.subscribe(({ place }, before) => {
  const isEntered = place === 'setup' && before.place === 'server';
  if (isEntered && useSetupView.getState().editing === null) {
    useSetupView.setState({ explained: null });
  }
});

/** Names a server among those of all clients. */
export function serverKey(client: Client, name: string): string {
  return `${client}\n${name}`;
}

/** Goes with a server to its new name or client, in the view of Setup that is open. */
export function showRenamed(client: Client, name: string): void {
  const { client: open, explain } = useSetupView.getState();
  if (open === null) explain(name);
  else showInSetup(client, name);
}

/** Shows why a server is what it is. */
export function showInSetup(client: Client, name: string): void {
  useSetupView.setState({
    client,
    page: 'files',
    selected: { kind: 'servers', keys: new Set([serverKey(client, name)]) },
    editing: null,
  });
  useNavigation.getState().openSetup();
}

/**
 * Opens the editor on a server of a file, or on a place in its text: in the settings of the server
 * where one is with a server, else in Setup.
 */
export function editConfig(editing: Editing): void {
  const { open, openSetup } = useNavigation.getState();
  const origin = originNow();
  prepareEditing(editing, false);
  useSetupView.setState({ origin });
  const focus = editing.place === null ? 'form' : 'none';
  const edited = origin && useServers.getState().servers.find((one) => isEdited(one, editing));
  if (edited) open({ server: edited.id, section: 'definition', focus });
  else openSetup(focus);
}

function originNow(): Origin | null {
  const { place, server, tabs, sections } = useNavigation.getState();
  if (place !== 'server' || server === null) return null;
  const tab = tabs[server] ?? 'overview';
  return tab === 'settings' ? { server, tab, section: sections[server] } : { server, tab };
}

/** Tells whether it is the entry of a server that is edited. */
export function isEdited({ name, target }: ServerView, { target: file, name: edited }: Editing) {
  return name === edited && target?.client === file.client && target.scope === file.scope;
}

/** Has the editor ready with a change that is not saved, for when Setup is opened. */
export function resumeEditing(editing: Editing): void {
  prepareEditing(editing, true);
}

function prepareEditing(editing: Editing, hasChanges: boolean): void {
  const { client } = useSetupView.getState();
  useSetupView.setState({
    client: client === null ? null : editing.target.client,
    page: 'files',
    selected:
      editing.name === null
        ? { kind: 'file', target: editing.target }
        : {
            kind: 'servers',
            keys: new Set([serverKey(editing.target.client, editing.name)]),
          },
    ...(editing.name !== null && { explained: editing.name }),
    editing,
    hasChanges,
  });
}
