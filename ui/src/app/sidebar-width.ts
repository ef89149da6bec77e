/*
 * The width of the sidebar, from what this window remembers of it. The frame has it before the code
 * of the window is there, so that nothing here needs more than the page.
 */
import { recall } from '@/lib/remembered';
import { windowWidth } from '@/lib/window-size';

/** The name under which the shares of the panes are remembered. */
export const SHARES = 'panes.window.horizontal.servers-server';

export const MIN_WIDTH = 150;
/** Pixels that the pane of the server needs at least, and the line before it. */
const MIN_REST = 320 + 1;

/** Returns the most pixels that the sidebar can have in a window. */
export function mostWidth(ofWindow: number): number {
  return Math.max(MIN_WIDTH, ofWindow - MIN_REST);
}

/** Returns the width nearest to `pixels` for which a window has room. */
export function fittingWidth(pixels: number, ofWindow: number): number {
  return Math.round(Math.min(Math.max(MIN_WIDTH, pixels), mostWidth(ofWindow)));
}

/** Returns the width at first. A small window leaves more to the server. */
export function firstWidth(ofWindow: number): number {
  return ofWindow < 900 ? 184 : 244;
}

/** Returns the width that the user has chosen; null where that follows from the window. */
export function chosenWidth(): number | null {
  const share = recall(SHARES, areShares)?.servers;
  return share === undefined ? null : ((windowWidth() - 1) * share) / 100;
}

/** Returns the width with which a window opens. */
export function startWidth(): number {
  const ofWindow = windowWidth();
  return fittingWidth(chosenWidth() ?? firstWidth(ofWindow), ofWindow);
}

/** Returns the shares of both panes in percent, as they are remembered. */
export function sharesOf(pixels: number, ofWindow: number): { servers: number; server: number } {
  const servers = (100 * pixels) / (ofWindow - 1);
  return { servers, server: 100 - servers };
}

function areShares(value: unknown): value is { servers: number } {
  return (
    typeof value === 'object' &&
    value !== null &&
    'servers' in value &&
    typeof value.servers === 'number' &&
    Number.isFinite(value.servers)
  );
}
