import { type OutputUnit, type Schema, type SchemaDraft, Validator } from '@cfworker/json-schema';
import { type ExactValue, isExactObject, parseExact, toPlain } from '@/lib/json/exact';
import { fromPointer, toPointer } from '@/lib/json/pointer';
import { conditionText, messageOf, requiredBecause } from './messages';
import type { Violation } from './violation';

export type { Violation };

/** The outcome of a check. */
export type Verdict =
  | {
      state: 'checked';
      violations: Violation[];
      /** The reason why the schema itself cannot be used. */
      problem: string | undefined;
    }
  /** The check did not end in time, or could not be begun. */
  | { state: 'unchecked'; reason: 'too-large' | 'no-checker' };

/** At most so many violations are told. */
const MAX_VIOLATIONS = 50;

/** The number of errors that are gone through; further ones are left out. */
const MAX_ERRORS = 2_000;

/**
 * Checks values against a JSON Schema without generating code, as the window's content-security
 * policy demands. Both come from a server and can keep it busy for hours, so that only the worker
 * uses it, see `checks.ts`. Numbers are compared as JavaScript numbers, so a limit beyond 2^53 is checked
 * to the nearest double.
 */
export class SchemaChecker {
  private readonly validator: Validator | undefined;
  /** The schema, digit by digit. */
  private readonly schema: ExactValue = null;
  /** The reason why the schema itself cannot be used. */
  readonly problem: string | undefined;

  constructor(schemaText: string) {
    try {
      this.schema = parseExact(schemaText);
      const schema = toPlain(this.schema) as Schema | boolean;
      this.validator = new Validator(schema, draftOf(schema), false);
      // References are followed only when a value is checked.
      this.validator.validate({});
    } catch (error) {
      this.validator = undefined;
      this.problem = `The schema cannot be used: ${reason(error)}`;
    }
  }

  verdict(value: ExactValue): Verdict {
    return { state: 'checked', violations: this.check(value), problem: this.problem };
  }

  check(value: ExactValue): Violation[] {
    if (this.validator === undefined) return [];
    try {
      const { errors } = this.validator.validate(toPlain(value));
      return tell(errors.slice(0, MAX_ERRORS), this.schema, value);
    } catch (error) {
      return [
        { pointer: '', message: `The schema cannot be used: ${reason(error)}`, missing: false },
      ];
    }
  }
}

function reason(error: unknown): string {
  return error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error);
}

/** Servers that name no dialect mean 2020-12 (MCP 2025-11-25, "JSON Schema Usage"). */
function draftOf(schema: Schema | boolean): SchemaDraft {
  const name = typeof schema === 'object' ? String(schema.$schema ?? '') : '';
  if (name.includes('draft-04')) return '4';
  if (name.includes('draft-06') || name.includes('draft-07')) return '7';
  return name.includes('2019-09') ? '2019-09' : '2020-12';
}

/** Errors of containers only repeat that something inside is wrong. */
const CONTAINERS = new Set([
  '$ref',
  'additionalProperties',
  'allOf',
  'else',
  'if',
  'items',
  'prefixItems',
  'properties',
  'then',
]);

function tell(errors: OutputUnit[], schema: ExactValue, value: ExactValue): Violation[] {
  const told = new Map<string, Violation>();
  const conditions = failedConditions(errors, schema, value);
  const undecided = conditions.filter(({ isUndecided }) => isUndecided);
  const branches = errors.filter(({ keyword }) => keyword === 'anyOf' || keyword === 'oneOf');
  const plausible = branches.flatMap((branch) => plausibleBranch(branch, errors) ?? []);
  for (const { keyword, keywordLocation, instanceLocation, error } of errors) {
    const inside = errors.some(
      (other) =>
        other?.keywordLocation.startsWith(`${keywordLocation}/`) ||
        (keyword === 'if' && isOfCondition(other?.keywordLocation ?? '', keywordLocation)),
    );
    if (keyword === 'false' || (CONTAINERS.has(keyword) && inside)) continue;
    if (undecided.some(({ place }) => isOfCondition(keywordLocation, place))) continue;
    // What each alternative misses is noise beside "fits none of them", unless only one of
    // them can be meant: then it is what is wrong, and the other sentence is the noise.
    if (plausible.some((place) => place.startsWith(`${keywordLocation}/`))) continue;
    const isMeant = plausible.some((place) => keywordLocation.startsWith(place));
    if (
      !isMeant &&
      branches.some((branch) => keywordLocation.startsWith(`${branch.keywordLocation}/`))
    )
      continue;
    const missing = keyword === 'required' ? quotedName(error) : undefined;
    const within = decode(instanceLocation);
    const pointer = missing === undefined ? within : within + toPointer([missing]);
    const because =
      missing === undefined
        ? undefined
        : conditions.findLast(({ place }) => isWithin(keywordLocation, place, 'then'))?.reason;
    const message =
      because === undefined
        ? messageOf({ keyword, error, limit: at(schema, keywordLocation) })
        : requiredBecause(because);
    told.set(`${pointer} ${message}`, { pointer, message, missing: missing !== undefined });
    if (told.size >= MAX_VIOLATIONS) break;
  }
  return [...told.values()];
}

/** Errors that say "this is not that shape at all". */
const MISMATCHES = new Set(['const', 'enum', 'type']);

/** Finds the one alternative that a value can be meant to be, by its errors. */
function plausibleBranch(union: OutputUnit, errors: OutputUnit[]): string | undefined {
  const byBranch = new Map<string, boolean>();
  for (const { keyword, keywordLocation } of errors) {
    if (!keywordLocation.startsWith(`${union.keywordLocation}/`)) continue;
    const index = keywordLocation.slice(union.keywordLocation.length + 1).split('/')[0];
    const place = `${union.keywordLocation}/${index}/`;
    byBranch.set(place, (byBranch.get(place) ?? true) && !MISMATCHES.has(keyword));
  }
  const [only, another] = [...byBranch].filter(([, isPlausible]) => isPlausible);
  return another === undefined ? only?.[0] : undefined;
}

/** `#/a%20b/0` → `/a b/0`. */
function decode(location: string): string {
  const pointer = location.replace(/^#/, '');
  try {
    return decodeURI(pointer);
  } catch {
    return pointer;
  }
}

function quotedName(error: string): string | undefined {
  return /"(.*)"/.exec(error)?.[1];
}

/** An `if` of which the `then` or the `else` is not met. */
interface FailedCondition {
  /** Location of the `if`. */
  place: string;
  /**
   * True when it speaks of members that are missing, as another error says: what it asks for is
   * known once these are given.
   */
  isUndecided: boolean;
  /** The reason in words why its `then` holds; nothing where it is not that simple. */
  reason: string | undefined;
}

/** Finds the conditions that failed, the outer ones first. */
function failedConditions(
  errors: OutputUnit[],
  schema: ExactValue,
  value: ExactValue,
): FailedCondition[] {
  return errors
    .filter(({ keyword }) => keyword === 'if')
    .map(({ keywordLocation: place, instanceLocation }) => {
      const condition = at(schema, place);
      const instance = memberAt(value, instanceLocation);
      const absent = membersOf(condition).filter(
        (name) => !(isExactObject(instance) && Object.hasOwn(instance, name)),
      );
      const isUndecided = errors.some(
        (error) =>
          error.keyword === 'required' &&
          error.instanceLocation === instanceLocation &&
          !isOfCondition(error.keywordLocation, place) &&
          absent.includes(quotedName(error.error) ?? ''),
      );
      return { place, isUndecided, reason: conditionText(condition, absent) };
    })
    .toSorted((one, other) => one.place.length - other.place.length);
}

/** The members that a condition speaks of. */
function membersOf(condition: ExactValue | undefined): string[] {
  if (!isExactObject(condition)) return [];
  const { properties, required } = condition;
  return [
    ...(isExactObject(properties) ? Object.keys(properties) : []),
    ...(Array.isArray(required) ? required.filter((name) => typeof name === 'string') : []),
  ];
}

/** Tells whether an error stands in the `then` or `else` that belongs to an `if`. */
function isOfCondition(location: string, ifLocation: string): boolean {
  return isWithin(location, ifLocation, 'then') || isWithin(location, ifLocation, 'else');
}

function isWithin(location: string, ifLocation: string, branch: 'then' | 'else'): boolean {
  return location.startsWith(`${ifLocation.replace(/\/if$/, '')}/${branch}/`);
}

/** Finds the part of a value by the checker's location. */
function memberAt(value: ExactValue, location: string): ExactValue | undefined {
  let current: ExactValue | undefined = value;
  for (const step of fromPointer(decode(location))) {
    if (Array.isArray(current)) current = current[Number(step)];
    else if (isExactObject(current) && Object.hasOwn(current, step)) current = current[step];
    else return undefined;
  }
  return current;
}

/** References that are followed on the way to a keyword. */
const MAX_REFERENCES = 20;

/** Finds the value of a keyword by the checker's location, which goes through references. */
function at(schema: ExactValue, location: string): ExactValue | undefined {
  let current: ExactValue | undefined = schema;
  let references = 0;
  for (const step of fromPointer(decode(location))) {
    if (Array.isArray(current)) current = current[Number(step)];
    else if (!isExactObject(current)) return undefined;
    else if (step === '$ref') {
      const { $ref: target } = current;
      references += 1;
      if (typeof target !== 'string' || !target.startsWith('#')) return undefined;
      if (references > MAX_REFERENCES) return undefined;
      current = at(schema, target);
    } else current = Object.hasOwn(current, step) ? current[step] : undefined;
  }
  return current;
}
