import { create } from 'zustand';
import type { Client, NamingScheme, Provider, ServerId } from '@/backend/bindings';
import { openPlace } from '@/state/navigation';

/** Model whose tokens are counted: those of o200k exactly, those of others as an estimate. */
export type CountedModel = 'gpt-5' | 'claude' | 'gemini' | 'other';

/** Subject of what a client gets: one server, or all servers of a client. */
export type ClientSubject = ServerId | 'all';

/** Every scheme by which a client names items. */
export const NAMING_SCHEMES: readonly NamingScheme[] = [
  'claudeCode',
  'codex',
  'opencode',
  'geminiCli',
  'vscode',
  'caliban',
  'chimera',
];

/** Source of the limits on results where none of a client are known. */
export const OWN_LIMITS = 'Sightglass';

interface InClientsState {
  /** The client that was chosen for a server. */
  clients: Record<ServerId, Client>;
  /** The section that is shown, for all subjects. */
  section: string;
  /** The model interface that was chosen for a client. */
  providers: Partial<Record<Client, Provider>>;
  /** The model that tokens are counted for, by client. */
  models: Partial<Record<Client, CountedModel>>;
  /** Size of the context window in tokens. */
  contextWindow: number;
  chooseClient(server: ServerId, client: Client): void;
  showSection(section: string): void;
  chooseProvider(client: Client, provider: Provider): void;
  chooseModel(client: Client, model: CountedModel): void;
  chooseWindow(tokens: number): void;
}

/** Context window of Claude's models, which most tools are measured against. */
const CLAUDE_WINDOW = 200_000;

/** Opens a section of what clients get of a server. */
export function openInClients(server: ServerId, section: 'cost' | 'choice'): void {
  useInClients.getState().showSection(section);
  openPlace({ server, tab: 'clients' });
}

/** The choices in what a client gets. */
export const useInClients = create<InClientsState>((set) => ({
  clients: {},
  section: 'cost',
  providers: {},
  models: {},
  contextWindow: CLAUDE_WINDOW,
  chooseClient: (server, client) =>
    set((state) => ({ clients: { ...state.clients, [server]: client } })),
  showSection: (section) => set({ section }),
  chooseProvider: (client, provider) =>
    set((state) => ({ providers: { ...state.providers, [client]: provider } })),
  chooseModel: (client, model) =>
    set((state) => ({ models: { ...state.models, [client]: model } })),
  chooseWindow: (contextWindow) => set({ contextWindow }),
}));
