/**
 * The window's width and height in CSS pixels. Before it is shown the page of a window has no
 * size of its own (0 in WebKitGTK), while what stands in it is already decided by it: then the
 * size with the frame counts, which is there from the beginning.
 */
export const windowWidth = () => window.innerWidth || window.outerWidth;
export const windowHeight = () => window.innerHeight || window.outerHeight;
