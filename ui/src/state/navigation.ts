import { create } from 'zustand';
import type { ExchangeId, ListKind, ServerId, SessionId } from '@/backend/bindings';

/**
 * Titles of the views of a server, in their order: what it can do, what agents get, whether it is
 * good, and how it is set up.
 */
export const TAB_TITLES = {
  overview: 'Overview',
  tools: 'Tools',
  resources: 'Resources',
  prompts: 'Prompts',
  skills: 'Skills',
  tasks: 'Tasks',
  clients: 'In clients',
  checks: 'Checks',
  settings: 'Settings',
} as const;

export type Tab = keyof typeof TAB_TITLES;

export const TABS = Object.keys(TAB_TITLES) as readonly Tab[];

/** Titles of the sections of a server's settings, in their order. */
export const SETTINGS_SECTIONS = {
  definition: 'Definition',
  connection: 'Connection',
  'sign-in': 'Sign-in',
  answers: 'Answers and folders',
} as const;

export type SettingsSection = keyof typeof SETTINGS_SECTIONS;

/**
 * The subject of the window's main part: one server, the setup of all clients, the tests, or an
 * opened session file.
 */
export type Place = 'server' | 'setup' | 'tests' | 'session';

/**
 * The part that has the focus after a navigation: what the main pane shows, the first argument of
 * what was opened, its result, or the first field of its form; `none` where something else sees to
 * it.
 */
export type Arrival = 'main' | 'arguments' | 'result' | 'form' | 'none';

/** The place to go to. What is left out stays as it is. */
export interface Target {
  server: ServerId;
  tab?: Tab;
  /** The section of the settings; goes to their tab. */
  section?: SettingsSection;
  /** The list that `item` stands in; follows from `tab` except for templates. */
  list?: ListKind;
  /** The name (tools, prompts), the URI (resources) or the template. */
  item?: string;
  /** Arguments to start from instead of the remembered ones, as JSON. */
  arguments?: string;
  /** Name of their source, for instance `#33`. */
  from?: string;
  /** Without it: the first argument of an item that has some, else what the pane shows. */
  focus?: Arrival;
}

/** Arguments that wait to be taken up by the form of one tool or prompt. */
interface Prefill {
  server: ServerId;
  list: ListKind;
  item: string;
  arguments: string;
  /** Name of their source; absent where the user does not know it. */
  from?: string;
}

/** The content that the traffic drawer is to show; a new object each time it is asked for. */
export interface TrafficTarget {
  filter: string;
  /** The row to open. */
  exchange?: ExchangeId;
  /** The opened session that it is about; null for the record of the program. */
  session: SessionId | null;
}

interface NavigationState {
  place: Place;
  server: ServerId | null;
  session: SessionId | null;
  tabs: Record<ServerId, Tab>;
  /** The section of each server's settings that was chosen. */
  sections: Record<ServerId, SettingsSection>;
  /** The selected item of each list, by `itemKey`. */
  items: Record<string, string | null>;
  prefill: Prefill | null;
  trafficOpen: boolean;
  /** True if the drawer covers what else the window shows, until that is gone to. */
  trafficMaximised: boolean;
  trafficTarget: TrafficTarget | null;
  /** The newest jump; a new object each time. */
  arrival: { focus: Arrival } | null;
  open(target: Target): void;
  selectServer(server: ServerId | null): void;
  /** Shows Setup: which client has which server. */
  openSetup(focus?: Arrival): void;
  /** Shows Tests: the request files of the project. */
  openTests(focus?: Arrival): void;
  /** Shows an opened session file. */
  openSession(session: SessionId): void;
  selectTab(server: ServerId, tab: Tab): void;
  selectSection(server: ServerId, section: SettingsSection): void;
  selectItem(server: ServerId, list: ListKind, item: string | null): void;
  /** Hands over what `open` was given for this item, once. */
  takePrefill(server: ServerId, list: ListKind, item: string): Prefill | null;
  setTrafficOpen(open: boolean): void;
  setTrafficMaximised(maximised: boolean): void;
  showTraffic(filter: string): void;
  /** Shows one row of the traffic. */
  showExchange(exchange: ExchangeId): void;
}

const LIST_OF_TAB: Partial<Record<Tab, ListKind>> = {
  tools: 'tools',
  resources: 'resources',
  prompts: 'prompts',
};

const itemKey = (server: ServerId, list: ListKind) => `${server}\n${list}`;

export const useNavigation = create<NavigationState>((set, get) => ({
  place: 'server',
  server: null,
  session: null,
  tabs: {},
  sections: {},
  items: {},
  prefill: null,
  trafficOpen: true,
  trafficMaximised: false,
  trafficTarget: null,
  arrival: null,
  open: ({ server, tab: wanted, section, list, item, arguments: given, from, focus }) =>
    set((state) => {
      const tab = section ? 'settings' : wanted;
      const where = list ?? (tab && LIST_OF_TAB[tab]);
      const hasArguments = item !== undefined && where !== 'resources';
      return {
        place: 'server',
        server,
        trafficMaximised: false,
        arrival: { focus: focus ?? (hasArguments ? 'arguments' : 'main') },
        tabs: tab ? { ...state.tabs, [server]: tab } : state.tabs,
        sections: section ? { ...state.sections, [server]: section } : state.sections,
        items:
          where && item !== undefined
            ? { ...state.items, [itemKey(server, where)]: item }
            : state.items,
        prefill:
          where && item !== undefined && given !== undefined
            ? { server, list: where, item, arguments: given, from }
            : state.prefill,
      };
    }),
  selectServer: (server) => set({ place: 'server', server, trafficMaximised: false }),
  openSetup: (focus = 'main') =>
    set({ place: 'setup', trafficMaximised: false, arrival: { focus } }),
  openTests: (focus = 'main') =>
    set({ place: 'tests', trafficMaximised: false, arrival: { focus } }),
  openSession: (session) =>
    set({
      place: 'session',
      session,
      trafficOpen: true,
      trafficMaximised: false,
      trafficTarget: null,
      arrival: { focus: 'main' },
    }),
  selectTab: (server, tab) => set((state) => ({ tabs: { ...state.tabs, [server]: tab } })),
  selectSection: (server, section) =>
    set((state) => ({ sections: { ...state.sections, [server]: section } })),
  selectItem: (server, list, item) =>
    set((state) => ({ items: { ...state.items, [itemKey(server, list)]: item } })),
  takePrefill: (server, list, item) => {
    const { prefill } = get();
    if (prefill?.server !== server || prefill.list !== list || prefill.item !== item) return null;
    set({ prefill: null });
    return prefill;
  },
  setTrafficOpen: (open) =>
    set((state) => ({ trafficOpen: open, trafficMaximised: open && state.trafficMaximised })),
  setTrafficMaximised: (trafficMaximised) => set({ trafficMaximised }),
  showTraffic: (filter) => set({ trafficOpen: true, trafficTarget: { filter, session: null } }),
  showExchange: (exchange) =>
    set(({ place, session }) => ({
      trafficOpen: true,
      trafficTarget: { filter: '', exchange, session: place === 'session' ? session : null },
    })),
}));

/** The name of the selected item of a list. */
export function useSelectedItem(server: ServerId, list: ListKind): string | null {
  return useNavigation((state) => state.items[itemKey(server, list)] ?? null);
}

/** Tells whether this section of a server's settings is the one that its tabs show. */
export function showsSection(server: ServerId | null, section: SettingsSection): boolean {
  const { tabs, sections } = useNavigation.getState();
  if (server === null || tabs[server] !== 'settings') return false;
  return (sections[server] ?? 'definition') === section;
}

/** Opens a place of a server. */
export function openPlace(target: Target): void {
  useNavigation.getState().open(target);
}

/** Shows the messages that a filter finds. */
export function showTraffic(filter: string): void {
  useNavigation.getState().showTraffic(filter);
}
