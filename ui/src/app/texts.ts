/** Texts of the window itself: its header, banners, palette and sheet of shortcuts. */
import { formatDuration, formatQuantity } from '@/lib/format';

export const HEADER = {
  more: 'More about this server',
  restart: 'Restart',
  questions: (count: number) => formatQuantity(count, 'question'),
  heartbeat: (missed: number) =>
    missed > 0
      ? `${formatQuantity(missed, 'ping')} without an answer; the last took`
      : 'Last answer in',
  connect: 'Connect',
  disconnect: 'Disconnect',
  reconnect: 'Reconnect now',
  stop: 'Stop trying',
  nextTry: (attempt: number, seconds: number) =>
    seconds > 0 ? `try ${attempt} in ${seconds} s` : `try ${attempt}`,
} as const;

/** The line beside the sidebar. */
export const RESIZE_SIDEBAR = 'Resize the sidebar';

/** Leads to the tabs that have no room. */
export const MORE_TABS = 'More';

export const SETTINGS = {
  sections: 'Settings of this server',
  /** Leads to the section of that name. */
  tools: 'Tools on/off',
  log: 'Log messages',
  logLevel: 'Log level',
} as const;

export const RECORDING = {
  off: 'Recording is off.',
  goesOn: (dropped: number) =>
    dropped > 0
      ? `Connections stay open; ${formatQuantity(dropped, 'message')} went unrecorded.`
      : 'Connections stay open.',
  retry: 'Try again',
} as const;

/** Links that the application was opened with while a dialog is open. */
export const LINKS = {
  waiting: (count: number) =>
    `${formatQuantity(count, 'link')} ${count === 1 ? 'waits' : 'wait'} until this dialog is closed.`,
  dropped: (count: number) =>
    `${formatQuantity(count, 'further link')} ${count === 1 ? 'was' : 'were'} not kept. Open ${count === 1 ? 'it' : 'them'} again later.`,
} as const;

export const QUESTION_BAR = {
  more: (count: number) => `and ${count} more`,
} as const;

export const START_FAILURE = {
  title: 'Sightglass could not start',
  hint: 'Close the window and open it again.',
} as const;

export const PALETTE = {
  title: 'Command palette',
  field: 'Find an action, server, tool, resource or setting',
  servers: 'Servers',
  items: 'Tools, resources and prompts',
  settings: 'Settings',
  guide: 'Guide',
  actions: 'Actions',
  actionsOnly: 'Actions only',
  actionsOnlyHint: 'Type > for actions only',
  nothing: (text: string) => `Nothing matches ${text}.`,
} as const;

export const SHORTCUTS = { title: 'Keyboard shortcuts' } as const;

/** Answers of the keys that take back changes of files, where no file is looked at. */
export const ELSEWHERE = {
  undo: (change: string) => `Nothing to undo here · Setup can undo: ${change}`,
  redo: (change: string) => `Nothing to redo here · Setup can redo: ${change}`,
  show: 'Show Setup',
} as const;

/** The title of the window; the number of open questions comes first. */
export function windowTitle(project: string, questions: number): string {
  const title = `${project} – Sightglass`;
  return questions > 0 ? `(${questions}) ${title}` : title;
}

export function zoomed(percent: number): string {
  return `Zoom ${percent} %`;
}

export const RESET_ZOOM = 'Reset';

/** Leads to what a message is about. */
export const SHOW = 'Show';

export const pinged = (server: string, roundTrip: number | null) =>
  roundTrip === null
    ? `${server} did not answer a ping within 10 seconds`
    : `${server} answered in ${formatDuration(roundTrip)}`;
