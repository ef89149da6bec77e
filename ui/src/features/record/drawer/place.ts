/*
 * The place of the drawer in the window, from what this window remembers of it. The frame has it
 * before the code of the window is there, so that nothing here needs more than the page.
 */
import { recall } from '@/lib/remembered';
import { windowHeight } from '@/lib/window-size';

/** The name under which a height that the user chose is remembered. */
export const HEIGHT = 'traffic.height';
/** The name under which it is remembered whether the drawer is open. */
export const OPEN = 'traffic.open';

export const MIN_HEIGHT = 120;
/** Pixels that the rest of the window needs at least. */
const MIN_REST = 160;
/** The window's height in pixels below which the drawer opens on a press alone, to leave room. */
const ROOM = 700;

/** Returns the most pixels that the drawer can have in a window. */
export function mostHeight(ofWindow: number): number {
  return Math.max(MIN_HEIGHT, ofWindow - MIN_REST);
}

/** Returns the height nearest to `pixels` for which a window has room. */
export function fittingHeight(pixels: number, ofWindow: number): number {
  return Math.round(Math.min(Math.max(MIN_HEIGHT, pixels), mostHeight(ofWindow)));
}

/**
 * Returns the height in a window: the chosen one, or three tenths of the window, but more of it
 * where that would show hardly any rows.
 */
export function heightIn(ofWindow: number, chosen: number | undefined): number {
  return fittingHeight(chosen ?? Math.max(190, ofWindow * 0.3), ofWindow);
}

export function chosenHeight(): number | undefined {
  return recall(HEIGHT, isHeight);
}

/** Tells whether the drawer is open at the start, once there is something in it. */
export function isOpenAtStart(): boolean {
  return windowHeight() >= ROOM && (recall(OPEN, isBoolean) ?? true);
}

function isHeight(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}

function isBoolean(value: unknown): value is boolean {
  return typeof value === 'boolean';
}
