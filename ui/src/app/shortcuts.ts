import { useEffect } from 'react';
import { GUARD_TIME } from '@/components/use-key-guard';
import { watchInput } from '@/lib/last-input';
import { ACTIONS, type Action, canRun, type KeyPlace, runAction } from '@/state/actions';
import { goneWithFocus } from '@/state/calls/questions';
import { showsSection, useNavigation } from '@/state/navigation';
import { showNotice, useNotices } from '@/state/notices';
import { canBeStarted, isAtRest } from '@/state/servers/obstacle';
import { useServers } from '@/state/servers/servers';
import { useConfiguration } from '@/state/setup/configuration';
import { ELSEWHERE } from './texts';

const isMac = /Mac|iPhone|iPad/.test(navigator.platform);

/** Tells whether a key press is the one that `shortcut` describes, for instance `mod+shift+f`. */
export function matchesShortcut(event: KeyboardEvent, shortcut: string): boolean {
  const parts = shortcut.split('+');
  const key = parts.at(-1) ?? '';
  const wants = (name: string) => parts.slice(0, -1).includes(name);
  const mod = isMac ? event.metaKey : event.ctrlKey;
  const otherMod = isMac ? event.ctrlKey : event.metaKey;
  if (mod !== wants('mod') || otherMod || event.altKey !== wants('alt')) return false;
  // Characters such as `?` need Shift on some keyboards and not on others.
  const isCharacter = key.length === 1 && !/[a-z0-9]/.test(key);
  if (!isCharacter && event.shiftKey !== wants('shift')) return false;
  // Where `+` needs Shift, `=` is on the same key.
  const pressed = event.key === '+' ? '=' : event.key.toLowerCase();
  return pressed === key;
}

/** The action that a key press asks for, if it asks for one where the focus is. */
export function actionOfKey(event: KeyboardEvent): Action | undefined {
  return matchingActions(event).find((action) => actsAt(action, focusOf(event)));
}

function matchingActions(event: KeyboardEvent): readonly Action[] {
  return ACTIONS.filter(
    ({ shortcut }) => shortcut !== undefined && matchesShortcut(event, shortcut),
  );
}

function focusOf({ target }: KeyboardEvent): Element {
  return target instanceof Element ? target : document.body;
}

/** Says where a change of files is taken back, once a press. Returns false for every other key. */
function pointedToConfig(event: KeyboardEvent): boolean {
  const action = matchingActions(event).find(({ place }) => place === 'setup');
  if (!action || isField(focusOf(event)) || !canRun(action.id)) return false;
  if (event.repeat) return true;
  const { undo, redo } = useConfiguration.getState().view;
  const text = action.id === 'setup.undo' ? ELSEWHERE.undo(undo ?? '') : ELSEWHERE.redo(redo ?? '');
  showNotice('info', text, {
    label: ELSEWHERE.show,
    run: () => useNavigation.getState().openSetup(),
  });
  return true;
}

/** Tells whether a key may be a second press that was meant for a question that has just gone. */
function isMeantForQuestion({ id }: Action): boolean {
  return id === 'call.run' && performance.now() < goneWithFocus() + GUARD_TIME;
}

/** Makes the shortcuts of the action table work. While a dialog is open, all but that of the guide rest. */
export function useShortcuts(): void {
  // First, so that a press is noted before what it does.
  useEffect(watchInput, []);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const action = actionOfKey(event);
      // A dialog is explained by the key that explains everything else.
      const isCovered = document.querySelector('[data-modal]') !== null;
      if (isCovered && action?.id !== 'guide.open') return;
      if (action ? !canRun(action.id) : !pointedToConfig(event)) return;
      event.preventDefault();
      event.stopPropagation();
      if (!action || (event.repeat && !action.repeats) || isMeantForQuestion(action)) return;
      runAction(action.id);
    };
    // Before any editor sees the key, so that a shortcut means the same everywhere.
    window.addEventListener('keydown', onKeyDown, { capture: true });
    return () => window.removeEventListener('keydown', onKeyDown, { capture: true });
  }, []);
}

/** Tells whether a place has the focus, or shows what its keys are about. */
const HOLDS: Readonly<Record<KeyPlace, (focused: Element) => boolean>> = {
  window: () => true,
  'no-field': (focused) => !isField(focused),
  main: (focused) =>
    isInMain(focused)
      ? !isIn(focused, '[data-question]')
      : // The server that is shown is chosen there.
        isIn(focused, 'nav') && !isField(focused) && useNavigation.getState().place === 'server',
  'not-connected': (focused) =>
    !isField(focused) &&
    !isIn(focused, '[data-question]') &&
    canBeConnectedHere() &&
    !canRun('call.run'),
  question: (focused) => isIn(focused, '[data-question]'),
  setup: (focused) => !isField(focused) && !isIn(focused, '[data-drawer]') && isSetupShown(),
  'sign-in': (focused) => isInMain(focused) && isSignInShown(),
  traffic: (focused) => isIn(focused, '[data-drawer]'),
};

/**
 * Tells whether the key of an action acts with the focus on an element. What a note offers to do
 * has its key for as long as the note is shown.
 */
function actsAt({ id, place }: Action, focused: Element): boolean {
  if (HOLDS[place](focused)) return true;
  return place === 'setup' && !isField(focused) && offered() === id;
}

/** Tells whether an action is about the place that has the focus, and not about the whole window. */
export function suits({ group, place }: Action, focused: Element): boolean {
  if (group === 'Traffic') return HOLDS.traffic(focused);
  return place !== 'window' && place !== 'no-field' && HOLDS[place](focused);
}

/** Tells whether the keys that an element gets are typed into it. */
function isField(element: Element): boolean {
  return (
    element instanceof HTMLElement &&
    (element.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(element.tagName))
  );
}

function isIn(focused: Element, selector: string): boolean {
  return focused.closest(selector) !== null;
}

/** Without a focus, the keys are for what the main pane shows. */
function isInMain(focused: Element): boolean {
  return focused === document.body || isIn(focused, '[data-main]');
}

/** Tells whether the main pane shows Setup, or the definition of a server. */
function isSetupShown(): boolean {
  const { place, server } = useNavigation.getState();
  return place === 'server' ? showsSection(server, 'definition') : place === 'setup';
}

/** Tells whether the server that is shown can be connected; a call that is shown has the key. */
function canBeConnectedHere(): boolean {
  const { place, server, trafficMaximised } = useNavigation.getState();
  if (place !== 'server' || trafficMaximised) return false;
  const known = useServers.getState().servers.find(({ id }) => id === server);
  return known !== undefined && isAtRest(known) && canBeStarted(known);
}

function isSignInShown(): boolean {
  const { place, server } = useNavigation.getState();
  return place === 'server' && showsSection(server, 'sign-in');
}

function offered(): string | undefined {
  return useNotices.getState().notices.at(-1)?.action?.id;
}
