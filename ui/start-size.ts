import type { Plugin } from 'vite';

/**
 * Bytes of the code that runs before the window answers, more than half of it React (219 kB). React
 * Aria comes later, with what opens over the window. Whoever raises it says what of it the first
 * picture shows.
 */
const BUDGET = 415_000;

/** The part of the budget that may be free: what is saved is not to be spent unseen. */
const FREE_PART = 0.03;

/** Fails a build whose start chunk is larger than its budget, or much smaller. */
export function startSize(): Plugin {
  return {
    name: 'sightglass-start-size',
    apply: 'build',
    generateBundle(_, bundle) {
      const start = Object.values(bundle).find(({ name }) => name === 'start');
      if (start?.type !== 'chunk') throw new Error('there is no start chunk');
      const bytes = Buffer.byteLength(start.code);
      if (bytes > BUDGET) {
        this.error(`the start chunk has ${bytes} bytes, ${BUDGET} are allowed (start-size.ts)`);
      }
      if (bytes < BUDGET * (1 - FREE_PART)) {
        this.error(`the start chunk has ${bytes} bytes: lower its budget (start-size.ts)`);
      }
    },
  };
}
