import { create } from 'zustand';
import type { Client, Target } from '@/backend/bindings';
import type { TextPlace } from '@/lib/text-place';
import { useNavigation } from '@/state/navigation';

/** The subject of the editor: a server of a file, or the file's text. */
export interface Editing {
  target: Target;
  /** The server whose form is shown; without it, only the text is. */
  name: string | null;
  /** The place in the text at which to begin. */
  place: TextPlace | null;
  /** The variable of the environment that is about to be set. */
  variable?: string;
}

/** The selection: some servers of one or more clients, or one file. */
export type Selected =
  | { kind: 'servers'; keys: ReadonlySet<string> }
  | { kind: 'file'; target: Target };

/** `servers`: each server once, with a switch for each client. */
export type ClientChoice = Client | 'every' | 'servers';

interface ConfigViewState {
  client: ClientChoice;
  selected: Selected;
  editing: Editing | null;
  /** The one of which the proposed change was put into the form: it is put in once. */
  filledIn: Editing | null;
  /** True if the text or the form that is edited differs from its file. */
  hasChanges: boolean;
  chooseClient(client: ClientChoice): void;
  select(selected: Selected): void;
  edit(editing: Editing | null): void;
  setChanges(hasChanges: boolean): void;
  setFilledIn(filledIn: Editing): void;
}

export const useConfigView = create<ConfigViewState>((set) => ({
  client: 'mcp-json',
  selected: { kind: 'servers', keys: new Set() },
  editing: null,
  filledIn: null,
  hasChanges: false,
  chooseClient: (client) => set({ client }),
  select: (selected) => set({ selected }),
  edit: (editing) => set({ editing, hasChanges: false }),
  setChanges: (hasChanges) => set({ hasChanges }),
  setFilledIn: (filledIn) => set({ filledIn }),
}));

/** Names a server among those of all clients. */
export function serverKey(client: Client, name: string): string {
  return `${client}\n${name}`;
}

/** Shows why a server is what it is. */
export function showServerConfig(client: Client, name: string): void {
  useConfigView.setState({
    client,
    selected: { kind: 'servers', keys: new Set([serverKey(client, name)]) },
    editing: null,
  });
  useNavigation.getState().openConfig();
}

/** Opens the editor on a server of a file, or on a place in its text. */
export function editConfig(editing: Editing): void {
  prepareEditing(editing, false);
  // The row of a variable takes the focus itself.
  const isAtForm = editing.place === null && editing.variable === undefined;
  useNavigation.getState().openConfig(isAtForm ? 'form' : 'none');
}

/** Has the editor ready with a change that is not saved, for when Config is opened. */
export function resumeEditing(editing: Editing): void {
  prepareEditing(editing, true);
}

function prepareEditing(editing: Editing, hasChanges: boolean): void {
  const { client } = useConfigView.getState();
  useConfigView.setState({
    client: client === 'every' || client === 'servers' ? client : editing.target.client,
    selected:
      editing.name === null
        ? { kind: 'file', target: editing.target }
        : {
            kind: 'servers',
            keys: new Set([serverKey(editing.target.client, editing.name)]),
          },
    editing,
    hasChanges,
  });
}
