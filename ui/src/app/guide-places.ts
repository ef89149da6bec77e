import { type OpenDialog, useDialogs } from '@/state/dialogs';
import type { GuidePlace } from '@/state/guide';
import {
  type Place,
  type SettingsSection,
  showsSection,
  type Tab,
  useNavigation,
} from '@/state/navigation';

/** The part of the guide about each tab of a server. */
export const GUIDE_OF_TABS: Readonly<Record<Tab, GuidePlace>> = {
  overview: { chapter: 'servers', heading: 'Overview' },
  tools: { chapter: 'calls' },
  resources: { chapter: 'calls', heading: 'Resources and prompts' },
  prompts: { chapter: 'calls', heading: 'Resources and prompts' },
  tasks: { chapter: 'calls', heading: 'Tasks' },
  skills: { chapter: 'calls', heading: 'Skills' },
  clients: { chapter: 'clients' },
  checks: { chapter: 'checks' },
  settings: { chapter: 'servers', heading: 'Settings of a server' },
};

/** The part about each section of a server's settings that has one of its own. */
export const GUIDE_OF_SECTIONS: Readonly<Partial<Record<SettingsSection, GuidePlace>>> = {
  definition: { chapter: 'setup' },
  'sign-in': { chapter: 'sign-in' },
  answers: { chapter: 'questions' },
};

/** The part about what else the main pane shows. */
export const GUIDE_OF_PLACES: Readonly<Record<Exclude<Place, 'server'>, GuidePlace>> = {
  setup: { chapter: 'setup' },
  tests: { chapter: 'tests' },
  session: { chapter: 'record', heading: 'Session files' },
};

/** The part about some part of the window that has the focus, whatever the main pane shows. */
export const GUIDE_OF_PARTS: readonly (readonly [string, GuidePlace])[] = [
  ['[data-drawer]', { chapter: 'record' }],
  ['[data-question]', { chapter: 'questions' }],
];

/** The part about what each dialog asks. */
export const GUIDE_OF_DIALOGS: Readonly<Record<OpenDialog['kind'], GuidePlace>> = {
  palette: { chapter: 'first-minute', heading: 'Find your way' },
  shortcuts: { chapter: 'first-minute', heading: 'Find your way' },
  settings: { chapter: 'servers', heading: 'Settings of a server' },
  'answer-rules': { chapter: 'questions', heading: 'Answer once' },
  'add-server': { chapter: 'setup', heading: 'Add a server' },
  'import-servers': { chapter: 'setup', heading: 'Add a server' },
  repair: { chapter: 'setup' },
  'config-sync': { chapter: 'setup', heading: 'What a switch does' },
  'config-change': { chapter: 'setup', heading: 'What a switch does' },
  'config-transfer': { chapter: 'setup', heading: 'Files and scopes' },
  'config-rename': { chapter: 'setup' },
  'config-export': { chapter: 'setup' },
  'folder-trust': { chapter: 'trust', heading: 'Folders' },
  'unused-bundles': { chapter: 'setup', heading: "Sightglass's own files" },
  'save-request': { chapter: 'tests' },
  'new-request': { chapter: 'tests' },
  'restart-on-change': { chapter: 'servers', heading: 'Connect' },
  'compare-server': { chapter: 'checks', heading: 'Changes' },
  'compare-session': { chapter: 'record', heading: 'Session files' },
  'replay-session': { chapter: 'record', heading: 'Session files' },
  'traffic-export': { chapter: 'record', heading: 'Export' },
};

/** Returns the part of the guide about the place where the user is. */
export function guideHere(focused: Element | null): GuidePlace {
  const { dialog } = useDialogs.getState();
  if (dialog) return GUIDE_OF_DIALOGS[dialog.kind];
  const part = GUIDE_OF_PARTS.find(([selector]) => focused?.closest(selector));
  if (part) return part[1];
  const { place, server, tabs } = useNavigation.getState();
  if (place !== 'server') return GUIDE_OF_PLACES[place];
  if (server === null) return { chapter: 'first-minute' };
  const sections = Object.entries(GUIDE_OF_SECTIONS);
  const section = sections.find(([section]) => showsSection(server, section as SettingsSection));
  return section ? section[1] : GUIDE_OF_TABS[tabs[server] ?? 'overview'];
}
