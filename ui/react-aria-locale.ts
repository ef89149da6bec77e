import type { Plugin } from 'vite';

/** The language of the window: all its texts are in it. */
const LOCALE = 'en-US';

/** A file of React Aria with the texts of one language. */
const TEXTS =
  /[\\/]node_modules[\\/]react-aria(?:-components)?[\\/]dist[\\/].*[\\/]intl[\\/].*?([a-z]{2}-[A-Z]{2})\.m?js$/;

/**
 * Leaves out the texts of React Aria in other languages than that of the window, which come in 34.
 * Its dictionaries skip a language that is empty.
 */
export function reactAriaLocale(): Plugin {
  return {
    name: 'sightglass-react-aria-locale',
    apply: 'build',
    enforce: 'pre',
    load: {
      filter: { id: TEXTS },
      handler: (id) => (TEXTS.exec(id)?.[1] === LOCALE ? null : 'export default undefined;'),
    },
  };
}
