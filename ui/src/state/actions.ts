import { type RefObject, useEffect, useRef } from 'react';
import { create } from 'zustand';
import { TAB_TITLES, TABS } from './navigation';

/**
 * Place in which the key of an action acts. What only shows something acts everywhere, and so does
 * what ends a call or loads a list again; what else changes something acts where that is looked at.
 */
export type KeyPlace = keyof typeof KEY_PLACES;

/** Each place, as the shortcut sheet calls it. */
export const KEY_PLACES = {
  window: 'Anywhere',
  'no-field': 'Outside of fields',
  main: 'Main pane',
  question: 'Question',
  setup: 'Setup, or while its note is shown',
  'sign-in': 'Sign-in',
  traffic: 'Traffic',
} as const;

/** An action of the user, wherever it is offered: palette, menu, shortcut, button. */
export type Action = {
  id: ActionId;
  title: string;
  group: 'General' | 'Servers' | 'Setup' | 'Tests' | 'Tabs' | 'Sign-in' | 'Calls' | 'Traffic';
} & (
  | {
      /** `mod` is ⌘ on a Mac and Ctrl elsewhere. */
      shortcut: string;
      place: KeyPlace;
      /** True where a key that is held down acts again and again; every other one acts once. */
      repeats?: true;
    }
  | { shortcut?: undefined; place?: undefined; repeats?: undefined }
);

const table = [
  {
    id: 'palette.open',
    title: 'Command palette',
    group: 'General',
    shortcut: 'mod+k',
    place: 'window',
  },
  {
    id: 'palette.jump',
    title: 'Command palette',
    group: 'General',
    shortcut: 'mod+p',
    place: 'window',
  },
  {
    id: 'project.open',
    title: 'Open folder',
    group: 'General',
    shortcut: 'mod+o',
    place: 'window',
  },
  {
    id: 'project.switch',
    title: 'Switch project',
    group: 'General',
    shortcut: 'mod+shift+o',
    place: 'window',
  },
  {
    id: 'pane.next',
    title: 'Next pane',
    group: 'General',
    shortcut: 'f6',
    place: 'window',
    repeats: true,
  },
  {
    id: 'pane.previous',
    title: 'Previous pane',
    group: 'General',
    shortcut: 'shift+f6',
    place: 'window',
    repeats: true,
  },
  {
    id: 'filter.focus',
    title: 'Filter this pane',
    group: 'General',
    shortcut: 'mod+f',
    place: 'window',
  },
  { id: 'settings.open', title: 'Settings', group: 'General', shortcut: 'mod+,', place: 'window' },
  {
    id: 'shortcuts.open',
    title: 'Keyboard shortcuts',
    group: 'General',
    shortcut: '?',
    place: 'no-field',
  },
  { id: 'guide.open', title: 'Guide', group: 'General', shortcut: 'f1', place: 'window' },
  { id: 'theme.system', title: 'Follow the system’s theme', group: 'General' },
  { id: 'theme.light', title: 'Use the light theme', group: 'General' },
  { id: 'theme.dark', title: 'Use the dark theme', group: 'General' },
  {
    id: 'zoom.in',
    title: 'Zoom in',
    group: 'General',
    shortcut: 'mod+=',
    place: 'window',
    repeats: true,
  },
  {
    id: 'zoom.out',
    title: 'Zoom out',
    group: 'General',
    shortcut: 'mod+-',
    place: 'window',
    repeats: true,
  },
  { id: 'zoom.reset', title: 'Reset the zoom', group: 'General' },
  { id: 'folder.trust', title: 'Trust this folder', group: 'General' },
  { id: 'folder.distrust', title: 'Stop trusting this folder', group: 'General' },
  {
    id: 'servers.filter',
    title: 'Filter servers',
    group: 'Servers',
    shortcut: 'mod+shift+l',
    place: 'window',
  },
  {
    id: 'server.add',
    title: 'Add server',
    group: 'Servers',
    shortcut: 'mod+shift+a',
    place: 'window',
  },
  { id: 'server.connect', title: 'Connect', group: 'Servers' },
  { id: 'server.disconnect', title: 'Disconnect', group: 'Servers' },
  { id: 'server.restart', title: 'Restart', group: 'Servers' },
  { id: 'server.ping', title: 'Ping now', group: 'Servers' },
  { id: 'server.move-up', title: 'Move this server up', group: 'Servers' },
  { id: 'server.move-down', title: 'Move this server down', group: 'Servers' },
  { id: 'server.at-start', title: 'Connect at start', group: 'Servers' },
  { id: 'server.not-at-start', title: 'Do not connect at start', group: 'Servers' },
  { id: 'servers.connect-all', title: 'Connect all servers', group: 'Servers' },
  { id: 'servers.disconnect-all', title: 'Disconnect all servers', group: 'Servers' },
  { id: 'server.check', title: 'Check this server', group: 'Servers' },
  { id: 'server.doctor', title: 'Doctor: check the connection', group: 'Servers' },
  { id: 'server.conformance', title: 'Check the conformance of this server', group: 'Servers' },
  { id: 'server.load', title: 'Measure this server under load', group: 'Servers' },
  { id: 'server.restart-on-change', title: 'Restart on change', group: 'Servers' },
  { id: 'server.compare', title: 'Compare this server with…', group: 'Servers' },
  { id: 'server.settings', title: 'Connection settings', group: 'Servers' },
  { id: 'server.answers', title: 'Answers and folders', group: 'Servers' },
  { id: 'log.show', title: 'Show the log of Sightglass', group: 'General' },
  { id: 'server.edit', title: 'Edit this server', group: 'Servers' },
  { id: 'server.remove', title: 'Remove this server', group: 'Servers' },
  {
    id: 'setup.open',
    title: 'Setup: switch servers on in clients',
    group: 'Setup',
    shortcut: 'mod+0',
    place: 'window',
  },
  {
    id: 'setup.undo',
    title: 'Undo the last change',
    group: 'Setup',
    shortcut: 'mod+z',
    place: 'setup',
  },
  { id: 'setup.redo', title: 'Redo', group: 'Setup', shortcut: 'mod+shift+z', place: 'setup' },
  {
    id: 'setup.review',
    title: 'Review and save the change',
    group: 'Setup',
    shortcut: 'mod+s',
    place: 'main',
  },
  { id: 'setup.import', title: 'Import from other clients', group: 'Setup' },
  { id: 'bundles.remove', title: 'Remove unused bundles', group: 'Setup' },
  { id: 'server.explain', title: 'Why is this server not loading?', group: 'Setup' },
  { id: 'clients.open', title: 'Show what a client gets', group: 'Setup' },
  {
    id: 'tests.open',
    title: 'Tests',
    group: 'Tests',
    shortcut: 'mod+shift+e',
    place: 'window',
  },
  { id: 'tests.new', title: 'New test', group: 'Tests' },
  { id: 'tests.run-all', title: 'Run all tests', group: 'Tests' },
  {
    id: 'tests.stubs',
    title: 'Write a test for each tool of this server',
    group: 'Tests',
  },
  ...([1, 2, 3, 4, 5, 6, 7, 8, 9] as const).map((number) => ({
    id: `server.${number}` as const,
    title: `Go to server ${number}`,
    group: 'Servers' as const,
    shortcut: `mod+${number}`,
    place: 'window' as const,
  })),
  ...TABS.map((tab) => ({
    id: `tab.${tab}` as const,
    title: tab === 'settings' ? 'Show the settings of this server' : `Show ${TAB_TITLES[tab]}`,
    group: 'Tabs' as const,
  })),
  { id: 'auth.sign-in', title: 'Sign in', group: 'Sign-in' },
  { id: 'auth.sign-out', title: 'Sign out', group: 'Sign-in' },
  { id: 'auth.steps', title: 'Sign in step by step', group: 'Sign-in' },
  { id: 'auth.manual', title: 'Sign in with a browser elsewhere', group: 'Sign-in' },
  {
    id: 'auth.continue',
    title: 'Continue to the next step',
    group: 'Sign-in',
    shortcut: 'f10',
    place: 'sign-in',
  },
  {
    id: 'auth.run',
    title: 'Continue without pausing',
    group: 'Sign-in',
    shortcut: 'f8',
    place: 'sign-in',
  },
  { id: 'auth.cancel', title: 'Cancel the sign-in', group: 'Sign-in' },
  { id: 'call.run', title: 'Run', group: 'Calls', shortcut: 'mod+enter', place: 'main' },
  {
    id: 'call.restart',
    title: 'Restart and run again',
    group: 'Calls',
    shortcut: 'mod+shift+enter',
    place: 'main',
  },
  {
    id: 'call.cancel',
    title: 'Stop the call',
    group: 'Calls',
    shortcut: 'mod+.',
    place: 'window',
  },
  {
    id: 'question.answer',
    title: 'Answer the open question',
    group: 'Calls',
    shortcut: 'mod+shift+r',
    place: 'window',
  },
  {
    id: 'question.accept',
    title: 'Accept the answer to a question',
    group: 'Calls',
    shortcut: 'mod+enter',
    place: 'question',
  },
  { id: 'rules.edit', title: 'Edit the rules that answer questions', group: 'Calls' },
  {
    id: 'arguments.focus',
    title: 'Edit the arguments',
    group: 'Calls',
    shortcut: 'mod+l',
    place: 'window',
  },
  {
    id: 'list.refresh',
    title: 'Load this list again',
    group: 'Calls',
    shortcut: 'mod+r',
    place: 'window',
  },
  { id: 'session.open', title: 'Open session file', group: 'Traffic' },
  { id: 'session.replay', title: 'Send the recorded requests again', group: 'Traffic' },
  { id: 'session.compare', title: 'Compare this recording', group: 'Traffic' },
  { id: 'session.close', title: 'Close this session file', group: 'Traffic' },
  {
    id: 'traffic.toggle',
    title: 'Show or hide traffic',
    group: 'Traffic',
    shortcut: 'mod+j',
    place: 'window',
  },
  {
    id: 'traffic.filter',
    title: 'Filter traffic',
    group: 'Traffic',
    shortcut: 'mod+shift+f',
    place: 'window',
  },
  { id: 'traffic.pause', title: 'Pause or resume traffic', group: 'Traffic' },
  { id: 'traffic.calls', title: 'Show Calls', group: 'Traffic' },
  { id: 'traffic.log', title: 'Show Log', group: 'Traffic' },
  { id: 'traffic.timeline', title: 'Show Timeline', group: 'Traffic' },
  { id: 'traffic.raw', title: 'Show Raw', group: 'Traffic' },
  {
    id: 'traffic.maximise',
    title: 'Maximise or restore traffic',
    group: 'Traffic',
    shortcut: 'mod+shift+j',
    place: 'window',
  },
  { id: 'traffic.latest', title: 'Jump to the latest traffic', group: 'Traffic' },
  {
    id: 'traffic.bookmark',
    title: 'Bookmark the selected message',
    group: 'Traffic',
    shortcut: 'mod+d',
    place: 'traffic',
  },
  { id: 'traffic.clear', title: 'Clear traffic', group: 'Traffic' },
  { id: 'traffic.clear-server', title: 'Clear this server’s traffic', group: 'Traffic' },
  { id: 'traffic.export', title: 'Export traffic', group: 'Traffic' },
  { id: 'traffic.export-server', title: 'Export this server’s traffic', group: 'Traffic' },
] as const;

export type ActionId = (typeof table)[number]['id'];

/** Every action there is, in the order in which the palette and the shortcut sheet show them. */
export const ACTIONS: readonly Action[] = table;

interface Handler {
  run: () => void;
  /** The pane for which the action is meant, where several offer it. */
  within?: RefObject<HTMLElement | null>;
}

interface HandlersState {
  /** The handlers of each action; the last to offer it comes last. */
  handlers: Partial<Record<ActionId, Handler[]>>;
}

export const useHandlers = create<HandlersState>(() => ({ handlers: {} }));

function offer(id: ActionId, handler: Handler): () => void {
  useHandlers.setState(({ handlers }) => ({
    handlers: { ...handlers, [id]: [...(handlers[id] ?? []), handler] },
  }));
  return () =>
    useHandlers.setState(({ handlers }) => ({
      handlers: { ...handlers, [id]: handlers[id]?.filter((known) => known !== handler) },
    }));
}

/** Returns the handler of `id`: that of the pane that has focus, else the one that came last. */
function handlerOf(id: ActionId): Handler | undefined {
  const offered = useHandlers.getState().handlers[id] ?? [];
  const focused = document.activeElement;
  const near = offered.filter((handler) => focused && handler.within?.current?.contains(focused));
  return near.at(-1) ?? offered.at(-1);
}

/** Runs an action. Returns whether a handler was there. */
export function runAction(id: ActionId): boolean {
  const handler = handlerOf(id);
  handler?.run();
  return handler !== undefined;
}

/** Tells whether an action can be carried out now. */
export function canRun(id: ActionId): boolean {
  return (useHandlers.getState().handlers[id]?.length ?? 0) > 0;
}

interface UseActionOptions {
  /** Offered only while this is true; without it, always. */
  when?: boolean;
  /** The pane for which it is meant, where several panes offer the same action. */
  within?: RefObject<HTMLElement | null>;
}

/** Offers to carry out an action for as long as the component is there. */
export function useAction(id: ActionId, run: () => void, options: UseActionOptions = {}): void {
  const { when = true, within } = options;
  const latest = useRef(run);
  useEffect(() => {
    latest.current = run;
  });
  useEffect(() => {
    if (!when) return;
    return offer(id, { run: () => latest.current(), within });
  }, [id, when, within]);
}
