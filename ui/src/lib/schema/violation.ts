import { REQUIRED } from './messages';

/** One way in which a value is not as its schema says. */
export interface Violation {
  /** JSON pointer into the value; where a member is missing, where it would be. */
  pointer: string;
  message: string;
  missing: boolean;
}

/** A violation as one line of a summary. */
export function violationMessage({ pointer, message, missing }: Violation): string {
  const name = pointer.slice(1);
  if (name === '') return message;
  if (!missing) return `\`${name}\`: ${message}`;
  const because = /^Required, because (.*)\.$/.exec(message)?.[1];
  return because === undefined
    ? `\`${name}\` is missing.`
    : `Because ${because}, \`${name}\` is required.`;
}

/** All violations in a line: those that are missing by their number, else the first. */
export function summaryOf(violations: readonly Violation[]): string {
  const [first] = violations;
  if (first === undefined) return '';
  const others = violations.length - 1;
  if (others === 0) return violationMessage(first);
  if (violations.every(({ missing, message }) => missing && message === REQUIRED)) {
    const more = others === 1 ? '1 more field' : `${others} more fields`;
    return `\`${first.pointer.slice(1)}\` and ${more} are missing.`;
  }
  const more = others === 1 ? '1 more problem' : `${others} more problems`;
  return `${violationMessage(first)} And ${more}.`;
}
