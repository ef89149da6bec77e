/** One way in which a value is not as its schema says, as the backend tells it. */
export interface Violation {
  /** JSON pointer into the value; where a member is missing, where it would be. */
  pointer: string;
  /** Text that is read at the place. */
  message: string;
  /** Text that names the place. */
  sentence: string;
  missing: boolean;
}

/** All violations in a line: those that are missing by their number, else the first. */
export function summaryOf(violations: readonly Violation[]): string {
  const [first] = violations;
  if (first === undefined) return '';
  const others = violations.length - 1;
  if (others === 0) return first.sentence;
  if (violations.every(({ missing, message }) => missing && message === first.message)) {
    const [one, other] = violations.map(({ pointer }) => `\`${pointer.slice(1)}\``);
    return `${one} and ${others === 1 ? other : `${others} more fields`} are missing.`;
  }
  const more = others === 1 ? '1 more problem' : `${others} more problems`;
  return `${first.sentence} And ${more}.`;
}
