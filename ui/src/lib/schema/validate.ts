import { type OutputUnit, type Schema, type SchemaDraft, Validator } from '@cfworker/json-schema';
import { type ExactValue, parseExact, toPlain } from '@/lib/json/exact';
import { toPointer } from '@/lib/json/pointer';

/** One way in which a value is not as its schema says. */
export interface Violation {
  /** JSON pointer into the value; where a member is missing, where it would be. */
  pointer: string;
  message: string;
  missing: boolean;
}

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
  /** The reason why the schema itself cannot be used. */
  readonly problem: string | undefined;

  constructor(schemaText: string) {
    try {
      const schema = toPlain(parseExact(schemaText)) as Schema | boolean;
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
      return tell(errors.slice(0, MAX_ERRORS));
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

function tell(errors: OutputUnit[]): Violation[] {
  const told = new Map<string, Violation>();
  const branches = errors.filter(({ keyword }) => keyword === 'anyOf' || keyword === 'oneOf');
  const plausible = branches.flatMap((branch) => plausibleBranch(branch, errors) ?? []);
  for (const { keyword, keywordLocation, instanceLocation, error } of errors) {
    const inside = errors.some((other) => other?.keywordLocation.startsWith(`${keywordLocation}/`));
    if (keyword === 'false' || (CONTAINERS.has(keyword) && inside)) continue;
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
    const message = messageOf(keyword, error);
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

function messageOf(keyword: string, error: string): string {
  const quoted = quotedName(error);
  switch (keyword) {
    case 'required':
      return 'Required.';
    case 'anyOf':
    case 'oneOf':
      return 'Fits none of the alternatives, or more than one.';
    case 'additionalProperties':
    case 'unevaluatedProperties':
      return quoted === undefined ? error : `${quoted} is not a known member.`;
    case 'type': {
      const [, found, wanted] = /type "([^"]*)" is invalid\. Expected (.*)\.$/.exec(error) ?? [];
      return wanted === undefined ? error : `Expected ${wanted.replaceAll('"', '')}, not ${found}.`;
    }
    case 'enum':
      return error.replace(/^Instance does not match any of/, 'Not one of');
    case 'pattern':
    case 'format':
      return error.replace(/^String does/, 'Does');
    default:
      return error;
  }
}

/** A violation as one line of a summary. */
export function violationMessage({ pointer, message, missing }: Violation): string {
  const name = pointer.slice(1);
  if (name === '') return message;
  return missing ? `${name} is required.` : `${name}: ${message}`;
}
