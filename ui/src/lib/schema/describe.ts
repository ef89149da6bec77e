import { numberText, type Tagged } from '@/lib/json/tagged';
import { choicesOf } from './choices';
import { AS_JSON, type FormSchema } from './form-schema';
import { resolveSchema, withoutNull } from './resolve';

/** Types inside types that are told. */
const MAX_TYPE_DEPTH = 4;
/** Alternatives whose types are looked at. */
const MAX_ALTERNATIVES = 8;

/** The type in limits, as in "array of string", "integer or null". */
export function typeText(schema: FormSchema, root: FormSchema, depth = 0): string {
  if (depth > MAX_TYPE_DEPTH) return 'any';
  const resolved = resolveSchema(schema, root);
  const inner = withoutNull(resolved);
  if (inner !== undefined) return `${typeText(inner, root, depth + 1)} or null`;
  if (AS_JSON in resolved && resolved.type !== 'object') return 'any';
  if (resolved.enum || resolved.const !== undefined) {
    return typeof resolved.type === 'string' ? resolved.type : resolved.enum ? 'enum' : 'constant';
  }
  if (resolved.type === 'array') {
    const { items } = resolved;
    if (Array.isArray(items)) return 'tuple';
    if (items === undefined || depth > 1) return 'array';
    return `array of ${typeText(items, root, depth + 1)}`;
  }
  if (Array.isArray(resolved.type)) return resolved.type.join(' or ');
  if (resolved.type !== undefined) return resolved.type;
  const branches = resolved.oneOf ?? resolved.anyOf;
  if (branches) {
    if (branches.length > MAX_ALTERNATIVES) {
      return choicesOf(resolved) === undefined ? 'one of several' : 'enum';
    }
    const types = new Set(branches.map((branch) => typeText(branch, root, depth + 1)));
    if ([...types].every((type) => type === 'constant')) return 'enum';
    return types.size <= 3 ? [...types].join(' or ') : 'one of several';
  }
  return resolved.allOf ? 'object' : 'any';
}

/** Limits in words, to be read under a field: "1 to 40 characters · email". */
export function limitTexts(schema: FormSchema): string[] {
  const limits: string[] = [];
  const number = (keyword: string) =>
    typeof schema[keyword] === 'number' ? (schema[keyword] as number) : undefined;
  const digits = (keyword: string) => numberText(schema[keyword] as Tagged);
  const range = (low: number | undefined, high: number | undefined, noun: string) => {
    if (low !== undefined && high !== undefined) {
      limits.push(low === high ? `exactly ${counted(low, noun)}` : `${low} to ${high} ${noun}s`);
    } else if (low !== undefined && low > 0) limits.push(`at least ${counted(low, noun)}`);
    else if (high !== undefined) limits.push(`at most ${counted(high, noun)}`);
  };
  range(number('minLength'), number('maxLength'), 'character');
  range(number('minItems'), number('maxItems'), 'item');
  const minimum = digits('minimum');
  const maximum = digits('maximum');
  if (minimum !== undefined && maximum !== undefined) limits.push(`${minimum} to ${maximum}`);
  else if (minimum !== undefined) limits.push(`≥ ${minimum}`);
  else if (maximum !== undefined) limits.push(`≤ ${maximum}`);
  const above = digits('exclusiveMinimum');
  const below = digits('exclusiveMaximum');
  if (above !== undefined) limits.push(`> ${above}`);
  if (below !== undefined) limits.push(`< ${below}`);
  const step = digits('multipleOf');
  if (step !== undefined) limits.push(`multiple of ${step}`);
  if (typeof schema.pattern === 'string') limits.push(`matches ${schema.pattern}`);
  if (typeof schema.format === 'string' && schema.format !== 'password') {
    limits.push(FORMATS[schema.format] ?? schema.format);
  }
  if (typeof schema.contentEncoding === 'string') limits.push(schema.contentEncoding);
  if (schema.deprecated === true) limits.push('deprecated');
  return limits;
}

const NUMBERS: Record<number, string> = { 1: 'one', 2: 'two', 3: 'three' };

/** "one item", "5 items". */
function counted(count: number, noun: string): string {
  return `${NUMBERS[count] ?? count} ${noun}${count === 1 ? '' : 's'}`;
}

/** The form of each format (JSON Schema Validation, section 7.3). */
const FORMATS: Record<string, string> = {
  date: 'date, 2025-11-25',
  time: 'time, 14:02:11Z',
  'date-time': 'date-time, 2025-11-25T14:02:11Z',
  duration: 'duration, P3DT12H',
  email: 'email, name@example.com',
  uri: 'uri, https://example.com/path',
  uuid: 'uuid',
  ipv4: 'ipv4, 192.0.2.1',
  ipv6: 'ipv6, 2001:db8::1',
  hostname: 'hostname, example.com',
  regex: 'regex, ECMA-262',
};

/** A title for a member that has none: the name itself, with its first letter raised. */
export function titleOf(schema: FormSchema, name: string): string {
  if (typeof schema.title === 'string' && schema.title !== '') return schema.title;
  const title = name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/[_-]+/g, ' ')
    .trim()
    .toLowerCase();
  return title === '' ? name : title.charAt(0).toUpperCase() + title.slice(1);
}
