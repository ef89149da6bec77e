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

/** A component that comes with a module of its own. */
export type LazyComponent<Props> = LazyExoticComponent<ComponentType<Props>> & {
  /** Loads it ahead: once it is there, it is drawn at once, and nothing stands in for it. */
  load(): Promise<void>;
};

/** Makes a component of an export that is loaded when it is first drawn, or ahead of that. */
export function lazyComponent<Name extends string, Props>(
  load: () => Promise<Readonly<Record<Name, ComponentType<Props>>>>,
  name: Name,
): LazyComponent<Props> {
  let loaded: { readonly default: ComponentType<Props> } | undefined;
  let loading: Promise<{ readonly default: ComponentType<Props> }> | undefined;
  const loadOnce = () => {
    loading ??= loadInTurn(load).then((module) => {
      loaded = { default: module[name] };
      return loaded;
    });
    // What failed is tried again when it is needed.
    loading.catch(() => {
      loading = undefined;
    });
    return loading;
  };
  const component = lazy<ComponentType<Props>>(() => (loaded ? atOnce(loaded) : loadOnce()));
  return Object.assign(component, { load: async () => void (await loadOnce()) });
}

/** Loads components ahead, one after the other, so that the window answers in between. */
export async function loadInOrder(components: readonly { load(): Promise<void> }[]): Promise<void> {
  for (const component of components) await component.load();
}

/** Hands a value over while it is asked for, as React takes it, and not a moment later. */
function atOnce<Value>(value: Value): Promise<Value> {
  const thenable: PromiseLike<Value> = {
    // biome-ignore lint/suspicious/noThenProperty: React asks for nothing else.
    then: (resolve) => {
      resolve?.(value);
      return Promise.resolve() as Promise<never>;
    },
  };
  return thenable as Promise<Value>;
}
