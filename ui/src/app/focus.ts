import { useEffect } from 'react';
import { canRun, runAction } from '@/state/actions';
import { useNavigation } from '@/state/navigation';

/** Milliseconds for which what is to have the focus may still be on its way. */
const ARRIVAL_TIMEOUT = 20_000;

/** Milliseconds after which the focus stays where it is. */
const SETTLING_TIME = 1500;

/** Parts that the user moves through in a pane, the most useful first. */
const SENSIBLE = [
  '[role="listbox"] [role="option"][tabindex="0"]',
  '[role="listbox"][tabindex="0"]',
  '[role="grid"][tabindex="0"], [role="treegrid"][tabindex="0"]',
  'tr[aria-selected="true"] td button[role="switch"]:not([disabled])',
  'td button[role="switch"]:not([disabled])',
  '[role="tree"][tabindex="0"]',
  '[role="tab"][tabindex="0"]',
] as const;

const TABBABLE =
  'input, textarea, select, button, a[href], [contenteditable="true"], [tabindex="0"]';

/** Ends the search for a place to focus that is still going on; absent while none is. */
let give: (() => void) | undefined;

/**
 * Looks once a frame for what is to have the focus, until `find` is content. Whatever the user
 * does meanwhile goes before it.
 */
function whenThere(find: () => boolean): void {
  give?.();
  const until = performance.now() + ARRIVAL_TIMEOUT;
  let isOver = false;
  const stop = () => {
    isOver = true;
    if (give === stop) give = undefined;
    window.removeEventListener('keydown', stop, true);
    window.removeEventListener('pointerdown', stop, true);
  };
  give = stop;
  // What had it may go at once, as the list of a server does that is being disconnected.
  let settled = Number.POSITIVE_INFINITY;
  const look = () => {
    if (isOver) return;
    const now = performance.now();
    const isLost = document.activeElement === document.body;
    if (settled > now + SETTLING_TIME || isLost) {
      settled = find() ? now + SETTLING_TIME : Number.POSITIVE_INFINITY;
    }
    if (now > Math.min(until, settled)) stop();
    else requestAnimationFrame(look);
  };
  requestAnimationFrame(() => {
    // The key that asked for it is over by now.
    window.addEventListener('keydown', stop, true);
    window.addEventListener('pointerdown', stop, true);
    look();
  });
}

function mainPane(): HTMLElement | null {
  return document.querySelector<HTMLElement>('[data-main]');
}

/**
 * Gives the focus to what the main pane shows: its list; else its panel of text, or the first
 * control. Until a list that is still loading is there, its panel has the focus.
 */
export function focusMain(): void {
  whenThere(() => {
    const main = mainPane();
    if (!main || document.querySelector('[data-modal]')) return false;
    const panel = main.querySelector<HTMLElement>('[role="tabpanel"]') ?? main;
    const list = firstOf(panel, SENSIBLE.slice(0, 5));
    if (list && !list.closest('nav')) {
      // What is told below a list stays in view.
      list.focus({ preventScroll: true });
      return true;
    }
    // It has the focus itself only as long as there is nothing else in it.
    const { activeElement } = document;
    const isEmpty = activeElement === panel && panel.tabIndex < 0;
    if (isEmpty || !panel.contains(activeElement)) focusPanel(panel);
    return panel.querySelector('[aria-busy="true"]') === null && panel.tabIndex === 0;
  });
}

/** Gives the focus to where the work goes on after each jump, wherever in the window it began. */
export function useFocusOnArrival(): void {
  const arrival = useNavigation((state) => state.arrival);
  useEffect(() => {
    if (arrival?.focus === 'main') focusMain();
    else if (arrival?.focus === 'arguments') focusArguments();
    else if (arrival?.focus === 'result') focusIn('[data-result]');
    else if (arrival?.focus === 'form') focusIn('[data-form]', 'input, textarea, select');
  }, [arrival]);
}

/** Milliseconds after which it is looked where the focus is, and for which what was done may go on. */
const LOOKING = { every: 150, upTo: 6000 } as const;

/**
 * Gives the focus back to the pane that it was in where what had it is gone, and nobody has taken it:
 * a button that goes with what it did, a dialog whose opener went meanwhile.
 */
export function useKeptFocus(): void {
  useEffect(() => {
    let last: HTMLElement | null = null;
    let pane: 'nav' | '[data-main]' | '[data-drawer]' = '[data-main]';
    let isMissed = false;
    let end = 0;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const onFocus = ({ target }: FocusEvent) => {
      if (!(target instanceof HTMLElement)) return;
      last = target;
      isMissed = false;
      const around = (['nav', '[data-main]', '[data-drawer]'] as const).find((one) =>
        target.closest(one),
      );
      if (around) pane = around;
    };
    const look = () => {
      const { activeElement, body } = document;
      const isLost =
        activeElement === body &&
        give === undefined &&
        last !== null &&
        // What is merely hidden gets it back from who hid it.
        (!last.isConnected || last.matches(':disabled'));
      if (!isLost || document.querySelector('[data-modal]')) isMissed = false;
      else if (!isMissed) isMissed = true;
      else {
        last = null;
        focusPane(pane);
      }
      if (performance.now() < end) timer = setTimeout(look, LOOKING.every);
    };
    const onInput = () => {
      clearTimeout(timer);
      isMissed = false;
      end = performance.now() + LOOKING.upTo;
      timer = setTimeout(look, LOOKING.every);
    };
    window.addEventListener('focusin', onFocus);
    window.addEventListener('keydown', onInput, true);
    window.addEventListener('pointerdown', onInput, true);
    return () => {
      clearTimeout(timer);
      window.removeEventListener('focusin', onFocus);
      window.removeEventListener('keydown', onInput, true);
      window.removeEventListener('pointerdown', onInput, true);
    };
  }, []);
}

function focusPane(selector: string): void {
  const pane = document.querySelector<HTMLElement>(selector);
  const first = selector === '[data-main]' || !pane ? null : firstIn(pane);
  if (first) first.focus();
  else focusMain();
}

/** Gives the focus to a part of the main pane that is opened, or to its first field. */
function focusIn(place: string, fields?: string): void {
  whenThere(() => {
    const part = mainPane()?.querySelector<HTMLElement>(place);
    const found = part && fields !== undefined ? firstOf(part, [fields]) : part;
    found?.focus();
    return found !== null && found !== undefined;
  });
}

/** Gives the focus to the first argument of what is opened, or to what runs it. */
function focusArguments(): void {
  let isTried = false;
  whenThere(() => {
    const main = mainPane();
    if (!main || document.querySelector('[data-modal]') || !canRun('arguments.focus')) return false;
    const before = document.activeElement;
    runAction('arguments.focus');
    const { activeElement } = document;
    if (activeElement !== before && main.contains(activeElement)) return true;
    // A form that is still being made is looked for once more.
    if (!isTried && main.querySelector('form, .cm-editor') === null) return false;
    isTried = true;
    return false;
  });
}

function firstOf(within: Element, selectors: readonly string[]): HTMLElement | null {
  for (const selector of selectors) {
    const found = [...within.querySelectorAll<HTMLElement>(selector)].find(isSeen);
    if (found) return found;
  }
  return null;
}

function isSeen(element: HTMLElement): boolean {
  return (
    element.offsetParent !== null && !element.matches(':disabled') && !element.closest('[inert]')
  );
}

/**
 * A panel of text takes the focus itself. So does one that holds nothing but buttons that confirm:
 * the next key is for none of them. No ring is drawn around it, unless somebody goes there by a key.
 */
function focusPanel(panel: HTMLElement): void {
  if (panel.tabIndex < 0) {
    const first = [...panel.querySelectorAll<HTMLElement>(TABBABLE)].find(
      (element) => isSeen(element) && !element.closest('[data-confirms]'),
    );
    if (first) {
      first.focus();
      return;
    }
    panel.setAttribute('tabindex', '-1');
  }
  panel.toggleAttribute('data-quiet', true);
  // While the window does not have the focus, the panel keeps it.
  panel.onblur = () => panel.toggleAttribute('data-quiet', document.activeElement === panel);
  panel.focus();
}

/** The panes that F6 walks, in reading order: the innermost ones, and the row of tabs. */
function panes(): HTMLElement[] {
  const all = [
    ...document.querySelectorAll<HTMLElement>(
      'nav, [data-main] [role="tablist"], [data-panel], [data-main], [data-drawer]',
    ),
  ];
  return all.filter(
    (pane) =>
      isSeen(pane) &&
      // Of what holds other panes, those count; a row of tabs stands beside its panel.
      !all.some(
        (other) =>
          other !== pane && pane.contains(other) && other.getAttribute('role') !== 'tablist',
      ),
  );
}

/** Gives the focus to the next pane, or to the one before. */
export function walkPanes(step: 1 | -1): void {
  const all = panes().filter((pane) => firstIn(pane) !== null);
  const { activeElement } = document;
  const at = all.findLastIndex((pane) => pane.contains(activeElement));
  const from = at < 0 && step < 0 ? 0 : at;
  const next = all[(from + step + all.length) % all.length];
  if (next) firstIn(next)?.focus();
}

function firstIn(pane: HTMLElement): HTMLElement | null {
  return (
    // The server that is looked at, not the one that the keyboard was at last.
    (pane.matches('nav') ? firstOf(pane, ['[role="option"][aria-selected="true"]']) : null) ??
    firstOf(pane, SENSIBLE) ??
    [...pane.querySelectorAll<HTMLElement>(TABBABLE)].find(isSeen) ??
    (pane.tabIndex >= 0 ? pane : null)
  );
}

/** Gives the focus to the control whose name begins so in the dialog that is being opened. */
export function focusInDialog(name: string): void {
  whenThere(() => {
    const dialog = document.querySelector('[data-modal] [role="dialog"]');
    const named = [...(dialog?.querySelectorAll<HTMLElement>('label, [aria-label]') ?? [])].find(
      (element) =>
        (element.getAttribute('aria-label') ?? element.textContent)?.trim().startsWith(name),
    );
    const control = named?.matches('input, button')
      ? named
      : (named?.querySelector<HTMLElement>('input, button, [tabindex="0"]') ??
        (named instanceof HTMLLabelElement ? (named.control as HTMLElement | null) : null));
    control?.focus();
    return control !== null && control === document.activeElement;
  });
}
