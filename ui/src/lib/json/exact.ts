import { LosslessNumber, parse, stringify } from 'lossless-json';
import { attempt } from '@/lib/attempt';
import { isObject } from '@/lib/objects';

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
  try {
    return parse(text, null, {
      parseNumber: (digits) => new LosslessNumber(digits),
      onDuplicateKey: ({ newValue }) => newValue,
    }) as ExactValue;
  } catch (reason) {
    // The reader calls itself for each level, until the engine stops it.
    if (reason instanceof RangeError) throw new SyntaxError('It is nested too deeply to be read');
    throw reason;
  }
}

/** Reads JSON; undefined where there is no text, or one that is no JSON. */
export function readExact(text: string | null | undefined): ExactValue | undefined {
  return text == null ? undefined : attempt(() => parseExact(text));
}

/** Levels that are indented: each level of a value makes every line in it longer. */
const MAX_INDENTATION = 100;

/** Writes JSON; numbers come out as they went in. What is nested very deeply is not indented. */
export function stringifyExact(value: ExactValue, indentation = 2): string {
  if (isDeeperThan(value, MAX_INDENTATION)) return stringifyDeep(value);
  return stringify(value, undefined, indentation) ?? 'null';
}

/** Writes JSON on one line, with a stack of its own: the engine's ends after some thousand levels. */
function stringifyDeep(root: ExactValue): string {
  const written: string[] = [];
  const pending: ({ value: ExactValue } | { text: string })[] = [{ value: root }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if ('text' in next) {
      written.push(next.text);
    } else if (Array.isArray(next.value)) {
      pending.push({ text: ']' });
      for (const [index, value] of [...next.value.entries()].reverse()) {
        pending.push({ value }, { text: index === 0 ? '' : ',' });
      }
      pending.push({ text: '[' });
    } else if (isExactObject(next.value)) {
      pending.push({ text: '}' });
      for (const [index, [name, value]] of [...Object.entries(next.value).entries()].reverse()) {
        pending.push({ value }, { text: `${index === 0 ? '' : ','}${JSON.stringify(name)}:` });
      }
      pending.push({ text: '{' });
    } else {
      written.push(stringify(next.value) ?? 'null');
    }
  }
  return written.join('');
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

/** Tells whether a text is a JSON number as it stands. */
export function isNumberText(text: string): boolean {
  return NUMBER.test(text);
}

export function isExactNumber(value: unknown): value is LosslessNumber {
  return value instanceof LosslessNumber;
}

export function isExactObject(
  value: ExactValue | undefined,
): value is { [key: string]: ExactValue } {
  return isObject(value) && !isExactNumber(value);
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
