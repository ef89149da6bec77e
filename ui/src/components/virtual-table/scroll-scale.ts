/*
 * Browsers cap the height of an element (about 33 million pixels in Chromium and WebKit, 17 in
 * Firefox), so ten million rows of 26 pixels cannot stand in one. Beyond `MAX_HEIGHT` the
 * content is given that height, and positions are converted: *virtual* ones count as if every
 * row were there, *physical* ones are what the browser's scrollbar knows.
 */

/** The tallest content the browser is given, in pixels. */
export const MAX_HEIGHT = 15_000_000;

/** The height of the content, and of the part that is seen, in pixels. */
export interface Extent {
  /** All rows together. */
  readonly content: number;
  /** The part of the window in which rows are seen. */
  readonly viewport: number;
}

/** The height of the element that stands for all rows. */
export function physicalHeight(extent: Extent): number {
  return Math.min(extent.content, MAX_HEIGHT);
}

/** Tells whether physical and virtual positions differ. */
export function isScaled(extent: Extent): boolean {
  return extent.content > MAX_HEIGHT;
}

/** The lowest virtual position to which one can scroll. */
export function lastPosition(extent: Extent): number {
  return Math.max(0, extent.content - extent.viewport);
}

/** `position`, kept within what one can scroll to. */
export function clampPosition(position: number, extent: Extent): number {
  return Math.min(Math.max(0, position), lastPosition(extent));
}

/** The virtual position for a scrollbar at `physical`. */
export function toVirtual(physical: number, extent: Extent): number {
  if (!isScaled(extent)) return clampPosition(physical, extent);
  const range = MAX_HEIGHT - extent.viewport;
  return clampPosition((physical / range) * lastPosition(extent), extent);
}

/** Returns the scrollbar's position for the virtual position `position`. */
export function toPhysical(position: number, extent: Extent): number {
  const clamped = clampPosition(position, extent);
  if (!isScaled(extent)) return clamped;
  return Math.round((clamped / lastPosition(extent)) * (MAX_HEIGHT - extent.viewport));
}

/** A range of rows; `end` is the first that is not in it. */
interface RowRange {
  readonly first: number;
  readonly end: number;
}

/** The rows seen at `position`, with `margin` more on either side. */
export function rowsAt(
  position: number,
  viewport: number,
  rows: { readonly count: number; readonly height: number },
  margin: number,
): RowRange {
  const first = Math.floor(position / rows.height) - margin;
  const end = Math.ceil((position + viewport) / rows.height) + margin;
  return {
    first: Math.min(Math.max(0, first), rows.count),
    end: Math.min(Math.max(0, end), rows.count),
  };
}

/** The nearest position to `position` at which row `index` is wholly seen. */
export function positionShowing(
  index: number,
  position: number,
  rowHeight: number,
  extent: Extent,
): number {
  const top = index * rowHeight;
  if (top < position) return clampPosition(top, extent);
  const bottom = top + rowHeight;
  if (bottom > position + extent.viewport) return clampPosition(bottom - extent.viewport, extent);
  return clampPosition(position, extent);
}
