/** Tells whether a value is an object with members, and no list. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Tells whether a value is an object whose members are numbers. */
export function hasNumbers(value: unknown): value is Record<string, number> {
  return isObject(value) && Object.values(value).every(Number.isFinite);
}
