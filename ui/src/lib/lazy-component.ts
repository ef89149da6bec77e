import { type ComponentType, type LazyExoticComponent, lazy } from 'react';

/** Time between two looks at a module that is not evaluated yet, in milliseconds. */
const RETRY_INTERVAL = 5;
/** Looks after which the module is taken as it is. */
const MAX_LOOKS = 400;

/**
 * Makes a component of an export that is loaded when it is first drawn.
 *
 * WebKit can resolve `import()` while another import still evaluates a module that both rest on,
 * for instance the tabs that are loaded ahead. The export is undefined until that has ended, so
 * it is asked for again.
 */
export function lazyComponent<Name extends string, Props>(
  load: () => Promise<Readonly<Record<Name, ComponentType<Props>>>>,
  name: Name,
): LazyExoticComponent<ComponentType<Props>> {
  return lazy(async () => {
    let component = (await load())[name];
    for (let looks = 1; component === undefined && looks < MAX_LOOKS; looks += 1) {
      await new Promise((resolve) => setTimeout(resolve, RETRY_INTERVAL));
      component = (await load())[name];
    }
    return { default: component };
  });
}
