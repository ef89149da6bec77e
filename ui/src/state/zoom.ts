/** Sizes of everything in the window that can be chosen, in percent, smallest first. */
const ZOOMS: readonly number[] = [50, 67, 75, 80, 90, 100, 110, 125, 150, 175, 200];

export const DEFAULT_ZOOM = 100;

/** Returns the next larger size, if there is one. The settings' file may hold one in between. */
export function nextZoom(zoom: number): number | undefined {
  return ZOOMS.find((size) => size > zoom);
}

/** Returns the next smaller size, if there is one. */
export function previousZoom(zoom: number): number | undefined {
  return ZOOMS.findLast((size) => size < zoom);
}

/** Returns the sizes to choose from, with the one that counts among them. */
export function zoomsWith(zoom: number): readonly number[] {
  return ZOOMS.includes(zoom) ? ZOOMS : [...ZOOMS, zoom].sort((a, b) => a - b);
}
