import type { Action, KeyPlace } from '@/state/actions';
import { showsSection, useNavigation } from '@/state/navigation';
import { useNotices } from '@/state/notices';

/** Tells whether a place has the focus, or shows what its keys are about. */
const HOLDS: Readonly<Record<KeyPlace, (focused: Element) => boolean>> = {
  window: () => true,
  'no-field': (focused) => !isField(focused),
  main: (focused) => isInMain(focused) && !isIn(focused, '[data-question]'),
  question: (focused) => isIn(focused, '[data-question]'),
  setup: (focused) => !isField(focused) && !isIn(focused, '[data-drawer]') && isSetupShown(),
  'sign-in': (focused) => isInMain(focused) && isSignInShown(),
  traffic: (focused) => isIn(focused, '[data-drawer]'),
};

/**
 * Tells whether the key of an action acts with the focus on an element. What a note offers to do
 * has its key for as long as the note is shown.
 */
export function actsAt({ id, place }: Action, focused: Element): boolean {
  if (place === undefined) return false;
  if (HOLDS[place](focused)) return true;
  return place === 'setup' && !isField(focused) && offered() === id;
}

/** Tells whether the keys that an element gets are typed into it. */
export function isField(element: Element): boolean {
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

function isSignInShown(): boolean {
  const { place, server } = useNavigation.getState();
  return place === 'server' && showsSection(server, 'sign-in');
}

function offered(): string | undefined {
  return useNotices.getState().notices.at(-1)?.action?.id;
}
