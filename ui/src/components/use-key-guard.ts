import { type KeyboardEvent, type RefObject, useLayoutEffect, useRef } from 'react';

/** Milliseconds for which what has just appeared takes no key that confirms it. */
export const GUARD_TIME = 500;

interface KeyGuardOptions {
  /** False while there is nothing to confirm. */
  isShown?: boolean;
  /** Time at which it appeared, on the clock of the page; without it, the time of the drawing. */
  since?: number;
  /** Number of times that it became something else meanwhile. Each begins the half second anew. */
  changes?: number | undefined;
}

interface KeyGuard {
  /** Returns true while a key was meant for what was there before. */
  isOn(): boolean;
  /** Drops Enter and Space on the buttons that confirm, while it is on. */
  onKeyDownCapture(event: KeyboardEvent): void;
}

/**
 * Keeps keys from confirming what has only just appeared under them: for half a second its buttons,
 * in `[data-confirms]`, take no Enter and no Space, and never one that is held down. What is typed
 * into its fields counts at once.
 */
export function useKeyGuard(
  frame: RefObject<HTMLElement | null>,
  { isShown = true, since, changes = 0 }: KeyGuardOptions = {},
): KeyGuard {
  const end = useRef(Number.POSITIVE_INFINITY);
  useLayoutEffect(() => {
    if (!isShown) return;
    const now = performance.now();
    end.current = (changes === 0 ? (since ?? now) : now) + GUARD_TIME;
    if (end.current <= now) return;
    const element = frame.current;
    element?.setAttribute('data-guarded', '');
    const timer = setTimeout(() => element?.removeAttribute('data-guarded'), end.current - now);
    return () => clearTimeout(timer);
  }, [frame, isShown, since, changes]);
  const isOn = () => isShown && performance.now() < end.current;
  return {
    isOn,
    onKeyDownCapture: (event) => {
      if (event.key !== 'Enter' && event.key !== ' ') return;
      const isOnButton =
        event.target instanceof Element && event.target.closest('[data-confirms]') !== null;
      if (!isOnButton || !(isOn() || event.repeat)) return;
      event.preventDefault();
      event.stopPropagation();
    },
  };
}

/** Presses the primary button of a frame, which is the last in a place: where it is confirmed. */
export function pressPrimary(frame: HTMLElement | null, place = '[data-confirms]'): void {
  const buttons = frame?.querySelectorAll<HTMLButtonElement>(`${place} button`) ?? [];
  [...buttons].at(-1)?.click();
}
