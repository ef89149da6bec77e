import { type ComponentType, type LazyExoticComponent, lazy } from 'react';

/** Ends when the import before has, well or not. */
let before: Promise<unknown> = Promise.resolve();

/**
 * Loads a module once no other is being loaded.
 *
 * WebKit mixes up imports that run at the same time and rest on the same modules, for instance that
 * of a tab the user opens and those of the tabs that are loaded ahead: the exports of one can have
 * no value yet, and another can stay open for ever.
 */
export function loadInTurn<Module>(load: () => Promise<Module>): Promise<Module> {
  const loaded = before.then(load);
  before = loaded.catch(() => {});
  return loaded;
}

/**
 * Loads the page anew once no module is being loaded, and loads none in it any more. A module that
 * is on its way when the page goes, WebKit asks for without end, and the page never goes.
 */
export function reloadPage(): void {
  void loadInTurn(() => {
    window.location.reload();
    return new Promise<never>(() => {});
  });
}

/** Makes a component of an export that is loaded when it is first drawn. */
export function lazyComponent<Name extends string, Props>(
  load: () => Promise<Readonly<Record<Name, ComponentType<Props>>>>,
  name: Name,
): LazyExoticComponent<ComponentType<Props>> {
  return lazy(async () => ({ default: (await loadInTurn(load))[name] }));
}
