import { vi } from 'vitest';

/** Observer that tells nothing: a page in a unit test has no layout. */
class NoLayout {
  observe() {}
  unobserve() {}
  disconnect() {}
}

/** Gives the page the observers of sizes and places that its components ask for. */
export function stubResizeObserver(): void {
  vi.stubGlobal('ResizeObserver', NoLayout);
  vi.stubGlobal('IntersectionObserver', NoLayout);
}
