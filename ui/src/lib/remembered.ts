/** Reads what this window remembers of its own layout; nothing when that cannot be used. */
export function recall<T>(name: string, accept: (value: unknown) => value is T): T | undefined {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(`sightglass.${name}`) ?? 'null');
    return accept(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Remembers it. Where nothing can be stored, the window only forgets its layout. */
export function remember(name: string, value: unknown): void {
  try {
    localStorage.setItem(`sightglass.${name}`, JSON.stringify(value));
  } catch {
    // Storage is full or refused; the layout then starts from its defaults next time.
  }
}

/** Forgets it. */
export function forget(name: string): void {
  try {
    localStorage.removeItem(`sightglass.${name}`);
  } catch {
    // As above.
  }
}
