import { type RefObject, useEffect, useRef } from 'react';
import { create } from 'zustand';
import { TAB_TITLES, TABS } from './navigation';

/**
 * Place in which the key of an action acts. What only shows something acts everywhere, and so does
 * what ends a call or loads a list again; what else changes something acts where that is looked at,
 * or is chosen.
 */
export type KeyPlace = keyof typeof KEY_PLACES;

/** Each place, as the shortcut sheet calls it. */
export const KEY_PLACES = {
  window: 'Anywhere',
  'no-field': 'Outside of fields',
  main: 'Main pane or sidebar',
  'not-connected': 'Server that is not connected',
  question: 'Question',
  setup: 'Setup, or while its note is shown',
  'sign-in': 'Sign-in',
  traffic: 'Traffic',
} as const;

/** An action of the user, wherever it is offered: palette, menu, shortcut, button. */
export interface Action {
  id: ActionId;
  title: string;
  /** Heading under which the palette and the shortcut sheet show it. */
  group: keyof typeof TABLE;
  /** `mod` is ⌘ on a Mac and Ctrl elsewhere. */
  shortcut?: string;
  place: KeyPlace;
  /** True where a key that is held down acts again and again; every other one acts once. */
  repeats?: true;
}

type Row = Omit<Action, 'group' | 'place'> & { place?: KeyPlace };

/** The actions of each group. A shortcut without a place acts in the whole window. */
const TABLE = {
  General: [
    { id: 'palette.open', title: 'Command palette', shortcut: 'mod+k' },
    { id: 'palette.jump', title: 'Command palette', shortcut: 'mod+p' },
    { id: 'project.open', title: 'Open folder', shortcut: 'mod+o' },
    { id: 'project.switch', title: 'Switch project', shortcut: 'mod+shift+o' },
    { id: 'pane.next', title: 'Next pane', shortcut: 'f6', repeats: true },
    { id: 'pane.previous', title: 'Previous pane', shortcut: 'shift+f6', repeats: true },
    { id: 'filter.focus', title: 'Filter this pane', shortcut: 'mod+f' },
    { id: 'settings.open', title: 'Settings', shortcut: 'mod+,' },
    { id: 'shortcuts.open', title: 'Keyboard shortcuts', shortcut: '?', place: 'no-field' },
    { id: 'guide.open', title: 'Guide', shortcut: 'f1' },
    { id: 'theme.system', title: 'Follow the system’s theme' },
    { id: 'theme.light', title: 'Use the light theme' },
    { id: 'theme.dark', title: 'Use the dark theme' },
    { id: 'zoom.in', title: 'Zoom in', shortcut: 'mod+=', repeats: true },
    { id: 'zoom.out', title: 'Zoom out', shortcut: 'mod+-', repeats: true },
    { id: 'zoom.reset', title: 'Reset the zoom' },
    { id: 'folder.trust', title: 'Trust this folder' },
    { id: 'folder.distrust', title: 'Stop trusting this folder' },
    { id: 'rules.edit', title: 'Edit the rules that answer questions' },
    { id: 'log.show', title: 'Show the log of Sightglass' },
  ],
  Servers: [
    { id: 'servers.filter', title: 'Filter servers', shortcut: 'mod+shift+l' },
    { id: 'server.add', title: 'Add server', shortcut: 'mod+shift+a' },
    { id: 'server.connect', title: 'Connect', shortcut: 'mod+enter', place: 'not-connected' },
    { id: 'server.disconnect', title: 'Disconnect' },
    { id: 'server.restart', title: 'Restart' },
    { id: 'server.ping', title: 'Ping now' },
    { id: 'server.move-up', title: 'Move this server up' },
    { id: 'server.move-down', title: 'Move this server down' },
    { id: 'server.at-start', title: 'Connect at start' },
    { id: 'server.not-at-start', title: 'Do not connect at start' },
    { id: 'servers.connect-all', title: 'Connect all servers' },
    { id: 'servers.disconnect-all', title: 'Disconnect all servers' },
    { id: 'server.check', title: 'Check this server' },
    { id: 'server.doctor', title: 'Check the connection' },
    { id: 'server.conformance', title: 'Check the conformance of this server' },
    { id: 'server.load', title: 'Measure this server under load' },
    { id: 'server.restart-on-change', title: 'Restart on change' },
    { id: 'server.compare', title: 'Compare this server with…' },
    { id: 'server.settings', title: 'Connection settings' },
    { id: 'server.answers', title: 'Answers and folders' },
    { id: 'server.edit', title: 'Edit this server' },
    { id: 'server.remove', title: 'Remove this server' },
    ...([1, 2, 3, 4, 5, 6, 7, 8, 9] as const).map((number) => ({
      id: `server.${number}` as const,
      title: `Go to server ${number}`,
      shortcut: `mod+${number}`,
    })),
  ],
  Setup: [
    { id: 'setup.open', title: 'Setup: switch servers on in clients', shortcut: 'mod+0' },
    { id: 'setup.undo', title: 'Undo the last change', shortcut: 'mod+z', place: 'setup' },
    { id: 'setup.redo', title: 'Redo', shortcut: 'mod+shift+z', place: 'setup' },
    { id: 'setup.review', title: 'Review and save the change', shortcut: 'mod+s', place: 'main' },
    { id: 'setup.import', title: 'Import from other clients' },
    { id: 'bundles.remove', title: 'Remove unused bundles' },
    { id: 'server.explain', title: 'Why is this server not loading?' },
    { id: 'clients.open', title: 'Show what a client gets' },
  ],
  Tests: [
    { id: 'tests.open', title: 'Tests', shortcut: 'mod+shift+e' },
    { id: 'tests.new', title: 'New test' },
    { id: 'tests.run-all', title: 'Run all tests' },
    { id: 'tests.stubs', title: 'Write a test for each tool of this server' },
  ],
  Tabs: TABS.map((tab) => ({
    id: `tab.${tab}` as const,
    title: tab === 'settings' ? 'Show the settings of this server' : `Show ${TAB_TITLES[tab]}`,
  })),
  'Sign-in': [
    { id: 'auth.sign-in', title: 'Sign in' },
    { id: 'auth.sign-out', title: 'Sign out' },
    { id: 'auth.steps', title: 'Sign in step by step' },
    { id: 'auth.manual', title: 'Sign in with a browser elsewhere' },
    { id: 'auth.continue', title: 'Continue to the next step', shortcut: 'f10', place: 'sign-in' },
    { id: 'auth.run', title: 'Continue without pausing', shortcut: 'f8', place: 'sign-in' },
    { id: 'auth.cancel', title: 'Cancel the sign-in' },
  ],
  Calls: [
    { id: 'call.run', title: 'Run', shortcut: 'mod+enter', place: 'main' },
    {
      id: 'call.restart',
      title: 'Restart and run again',
      shortcut: 'mod+shift+enter',
      place: 'main',
    },
    { id: 'call.cancel', title: 'Stop the call', shortcut: 'mod+.' },
    { id: 'call.save', title: 'Save as test' },
    { id: 'result.result', title: 'Show the result' },
    { id: 'result.raw', title: 'Show the whole response' },
    { id: 'result.request', title: 'Show the request' },
    { id: 'result.search', title: 'Search in this result' },
    { id: 'result.expect', title: 'Expect a value of the result' },
    { id: 'result.copy', title: 'Copy the result as JSON' },
    { id: 'result.copy-text', title: 'Copy the text of the result' },
    { id: 'result.copy-request', title: 'Copy the request as JSON-RPC' },
    { id: 'result.save', title: 'Save the result to a file' },
    { id: 'question.answer', title: 'Answer the open question', shortcut: 'mod+shift+r' },
    {
      id: 'question.accept',
      title: 'Accept the answer to a question',
      shortcut: 'mod+enter',
      place: 'question',
    },
    { id: 'arguments.focus', title: 'Edit the arguments', shortcut: 'mod+l' },
    { id: 'list.refresh', title: 'Load this list again', shortcut: 'mod+r' },
  ],
  Traffic: [
    { id: 'session.open', title: 'Open session file' },
    { id: 'session.replay', title: 'Send the recorded requests again' },
    { id: 'session.compare', title: 'Compare this recording' },
    { id: 'session.close', title: 'Close this session file' },
    { id: 'traffic.toggle', title: 'Show or hide traffic', shortcut: 'mod+j' },
    { id: 'traffic.filter', title: 'Filter traffic', shortcut: 'mod+shift+f' },
    { id: 'traffic.pause', title: 'Pause or resume traffic' },
    { id: 'traffic.calls', title: 'Show Calls' },
    { id: 'traffic.log', title: 'Show Log' },
    { id: 'traffic.timeline', title: 'Show Timeline' },
    { id: 'traffic.raw', title: 'Show Raw' },
    { id: 'traffic.maximise', title: 'Maximise or restore traffic', shortcut: 'mod+shift+j' },
    { id: 'traffic.latest', title: 'Jump to the latest traffic' },
    {
      id: 'traffic.bookmark',
      title: 'Bookmark the selected message',
      shortcut: 'mod+d',
      place: 'traffic',
    },
    { id: 'traffic.clear', title: 'Clear traffic' },
    { id: 'traffic.clear-server', title: 'Clear this server’s traffic' },
    { id: 'traffic.export', title: 'Export traffic' },
    { id: 'traffic.export-server', title: 'Export this server’s traffic' },
  ],
} as const;

export type ActionId = (typeof TABLE)[keyof typeof TABLE][number]['id'];

/** Every action there is, in the order in which the palette and the shortcut sheet show them. */
export const ACTIONS: readonly Action[] = Object.entries<readonly Row[]>(TABLE).flatMap(
  ([group, rows]) =>
    rows.map((row) => ({ place: 'window', ...row, group: group as Action['group'] })),
);

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
