import { type ExactValue, isExactNumber, isExactObject, stringifyExact } from '@/lib/json/exact';

/** All texts of violations of a schema, in one place. */

/** One way in which a value is not as its schema says, as the checker tells it. */
export interface Failing {
  keyword: string;
  /** The checker's own text. */
  error: string;
  /** The value of the keyword in the schema, digit by digit, where it was found. */
  limit: ExactValue | undefined;
}

const TYPES: Record<string, string> = {
  integer: 'Enter a whole number.',
  number: 'Enter a number.',
  string: 'Enter text.',
  boolean: 'Choose true or false.',
  array: 'This must be a list.',
  object: 'This must be an object.',
  null: 'This must be null.',
};

/** The value to enter in each format (JSON Schema Validation, section 7.3). */
const FORMATS: Record<string, string> = {
  date: 'a date, as in 2025-11-25',
  time: 'a time, as in 14:02:11Z',
  'date-time': 'a date and time, as in 2025-11-25T14:02:11Z',
  duration: 'a duration, as in P3DT12H',
  email: 'an email address',
  hostname: 'a host name',
  ipv4: 'an IPv4 address',
  ipv6: 'an IPv6 address',
  uri: 'a URL, as in https://example.com/path',
  'uri-reference': 'a URL or a path',
  uuid: 'a UUID',
  regex: 'a regular expression',
  'json-pointer': 'a JSON pointer',
};

/** Alternatives that are listed in full. */
const MAX_LISTED = 6;

const NUMBERS: Record<number, string> = { 1: 'one', 2: 'two', 3: 'three' };

export const REQUIRED = 'Required.';
export const NO_ALTERNATIVE = 'None of the alternatives fits.';

/** Says why a member is required that is not always. */
export function requiredBecause(reason: string): string {
  return `Required, because ${reason}.`;
}

/** Says in one sentence what to enter instead. */
export function messageOf({ keyword, error, limit }: Failing): string {
  const quoted = /"(.*)"/.exec(error)?.[1];
  const number = isExactNumber(limit) ? limit.value : undefined;
  switch (keyword) {
    case 'required':
      return REQUIRED;
    case 'anyOf':
      return NO_ALTERNATIVE;
    case 'oneOf': {
      const matches = Number(/\((\d+) matches\)/.exec(error)?.[1] ?? 0);
      return matches > 1 ? 'More than one of the alternatives fits.' : NO_ALTERNATIVE;
    }
    case 'additionalProperties':
    case 'unevaluatedProperties':
      return quoted === undefined ? error : `\`${quoted}\` is not a known field.`;
    case 'type':
      return typeMessage(error);
    case 'const':
      return limit === undefined ? 'Another value is required.' : `This must be ${written(limit)}.`;
    case 'enum':
      return Array.isArray(limit) && limit.length <= MAX_LISTED
        ? `Choose one of ${limit.map(written).join(', ')}.`
        : 'Choose one of the listed values.';
    case 'minItems':
      return number === undefined ? 'Add more items.' : `Add at least ${counted(number, 'item')}.`;
    case 'maxItems':
      return number === undefined ? 'Too many items.' : `At most ${counted(number, 'item')}.`;
    case 'minLength':
      return number === undefined
        ? 'Too short.'
        : `Enter at least ${counted(number, 'character')}.`;
    case 'maxLength':
      return number === undefined ? 'Too long.' : `Enter at most ${counted(number, 'character')}.`;
    case 'minProperties':
      return number === undefined
        ? 'Add more fields.'
        : `Add at least ${counted(number, 'field')}.`;
    case 'maxProperties':
      return number === undefined ? 'Too many fields.' : `At most ${counted(number, 'field')}.`;
    case 'uniqueItems': {
      const [, one, other] = /indexes (\d+) and (\d+)/.exec(error) ?? [];
      if (one === undefined || other === undefined) return 'Each item may appear once.';
      return `Items ${Number(one) + 1} and ${Number(other) + 1} are the same.`;
    }
    case 'minimum':
      return number === undefined ? 'Too small.' : `Enter ${number} or more.`;
    case 'maximum':
      return number === undefined ? 'Too large.' : `Enter ${number} or less.`;
    case 'exclusiveMinimum':
      return number === undefined ? 'Too small.' : `Enter more than ${number}.`;
    case 'exclusiveMaximum':
      return number === undefined ? 'Too large.' : `Enter less than ${number}.`;
    case 'multipleOf':
      return number === undefined ? error : `Enter a multiple of ${number}.`;
    case 'pattern':
      return typeof limit === 'string'
        ? `Does not match the pattern ${limit}.`
        : 'Does not match the pattern.';
    case 'format': {
      const format = FORMATS[quoted ?? ''];
      return format === undefined ? `Not in the format ${quoted ?? ''}.` : `Enter ${format}.`;
    }
    case 'not':
      return 'This value is not allowed.';
    case 'if':
      return 'Does not fit the other fields.';
    default:
      return error;
  }
}

function typeMessage(error: string): string {
  const [, found, expected = ''] = /type "([^"]*)" is invalid\. Expected (.*)\.$/.exec(error) ?? [];
  const types = expected.replaceAll('"', '').split(', ').filter(Boolean);
  if (types.length === 0) return error;
  const [only] = types;
  return types.length === 1 && only !== undefined && TYPES[only] !== undefined
    ? TYPES[only]
    : `This must be ${types.join(' or ')}, not ${found}.`;
}

/** "one item", "5 items". */
export function counted(number: string, noun: string): string {
  const count = Number(number);
  return `${NUMBERS[count] ?? number} ${noun}${count === 1 ? '' : 's'}`;
}

/** Characters of a value that are told. */
const MAX_VALUE_LENGTH = 40;

function written(value: ExactValue): string {
  const text = stringifyExact(value, 0);
  return text.length > MAX_VALUE_LENGTH ? `${text.slice(0, MAX_VALUE_LENGTH)}…` : text;
}

/**
 * Says why an `if` holds: "delivery is courier", "delivery is missing"; nothing where it is not that
 * simple. A member that is absent is as every condition on it says (JSON Schema 2020-12 Core, section
 * 10.3.2.1).
 */
export function conditionText(
  condition: ExactValue | undefined,
  absent: readonly string[],
): string | undefined {
  if (!isExactObject(condition) || !isExactObject(condition.properties)) return undefined;
  const parts = Object.entries(condition.properties).map(([name, schema]) => {
    if (absent.includes(name)) return `\`${name}\` is missing`;
    if (!isExactObject(schema)) return undefined;
    const values = Array.isArray(schema.enum) ? schema.enum : [schema.const];
    const [only, other] = values;
    return only === undefined || other !== undefined
      ? undefined
      : `\`${name}\` is ${written(only)}`;
  });
  return parts.every((part) => part !== undefined) && parts.length > 0
    ? parts.join(' and ')
    : undefined;
}
