import { LosslessNumber, parse, stringify } from 'lossless-json';

/**
 * JSON whose numbers are kept as they were written. A JavaScript number would turn
 * 9007199254740993 into …992 and 1.10 into 1.1; an inspector must not.
 */
export type ExactValue =
  | null
  | boolean
  | string
  | LosslessNumber
  | ExactValue[]
  | { [key: string]: ExactValue };

/** The grammar of a JSON number (RFC 8259, section 6). */
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** Reads JSON; of duplicate names the last one counts. Throws a SyntaxError. */
export function parseExact(text: string): ExactValue {
  return parse(text, null, {
    parseNumber: (digits) => new LosslessNumber(digits),
    onDuplicateKey: ({ newValue }) => newValue,
  }) as ExactValue;
}

/** Levels that are indented: each level of a value makes every line in it longer. */
const DEEPEST_INDENTATION = 100;

/** Writes JSON; numbers come out as they went in. What is nested very deeply is not indented. */
export function stringifyExact(value: ExactValue, indentation = 2): string {
  const isIndented = indentation > 0 && !isDeeperThan(value, DEEPEST_INDENTATION);
  return stringify(value, undefined, isIndented ? indentation : 0) ?? 'null';
}

function isDeeperThan(value: ExactValue, most: number): boolean {
  let level = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > most) return true;
    level = level.flatMap((item) =>
      Array.isArray(item) ? item : isExactObject(item) ? Object.values(item) : [],
    );
  }
  return false;
}

/** Whether a text is a JSON number as it stands. */
export function isNumberText(text: string): boolean {
  return NUMBER.test(text);
}

export function isExactNumber(value: unknown): value is LosslessNumber {
  return value instanceof LosslessNumber;
}

export function isExactObject(
  value: ExactValue | undefined,
): value is { [key: string]: ExactValue } {
  return (
    typeof value === 'object' && value !== null && !Array.isArray(value) && !isExactNumber(value)
  );
}

/** The same value with JavaScript numbers, for code that only compares: rounds. */
export function toPlain(value: ExactValue): unknown {
  if (isExactNumber(value)) return Number(value.value);
  if (Array.isArray(value)) return value.map(toPlain);
  if (isExactObject(value)) {
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, toPlain(item)]));
  }
  return value;
}
