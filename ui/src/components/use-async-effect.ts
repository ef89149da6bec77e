import { type DependencyList, useEffect } from 'react';

/** Work that ends later, and the uses of its outcome. */
interface AsyncEffect<Value> {
  start(): Promise<Value>;
  onValue(value: Value): void;
  /** Called with the reason of a failure; without it a failure changes nothing. */
  onError?(reason: unknown): void;
  /** Milliseconds before it starts: what follows typing waits until that rests. */
  delay?: number;
}

/**
 * Starts what `prepare` returns, again whenever a dependency changes. An outcome that comes after
 * that, or after the component is gone, is dropped. `prepare` runs as an effect does, and returns
 * null where there is nothing to start.
 */
export function useAsyncEffect<Value>(
  prepare: () => AsyncEffect<Value> | null,
  dependencies: DependencyList,
): void {
  useEffect(() => {
    const effect = prepare();
    if (!effect) return;
    let isCurrent = true;
    const start = () => {
      effect.start().then(
        (value) => isCurrent && effect.onValue(value),
        (reason) => isCurrent && effect.onError?.(reason),
      );
    };
    let timer: ReturnType<typeof setTimeout> | undefined;
    if (effect.delay === undefined) start();
    else timer = setTimeout(start, effect.delay);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
    // biome-ignore lint/correctness/useExhaustiveDependencies: checked at each call, see biome.json.
  }, dependencies);
}
