import type { Candidate, ImportInput, NamedText } from '@/backend/bindings';
import type { Form } from '../edit/form';
import { INPUTS } from './texts';

/** The values that the user gave for the inputs of a candidate, by name. */
export type InputValues = Readonly<Record<string, string>>;

/** The place where the secrets of a server are kept. */
export type SecretPlace = 'keychain' | 'file';

/** The secrets that the user gave for the bundle of a candidate, by name. */
export function givenSecrets(way: Candidate | null, values: InputValues): InputValues {
  const secret = way?.bundle ? way.inputs.filter((input) => input.secret) : [];
  const given = secret.map(({ name }) => [name, values[name] ?? ''] as const);
  return Object.fromEntries(given.filter(([, text]) => text !== ''));
}

/** The values with a reference in the place of each secret. */
export function withReferences(values: InputValues, secrets: InputValues): InputValues {
  const names = Object.keys(secrets);
  const references = names.map((name) => [name, `\${secret:${name}}`] as const);
  return { ...values, ...Object.fromEntries(references) };
}

/** The values to begin with: each input's own default. */
export function firstValues({ inputs }: Candidate): InputValues {
  return Object.fromEntries(inputs.map(({ name, default: text }) => [name, text ?? '']));
}

/** The inputs that have to be given and were not. */
export function missingInputs(inputs: readonly ImportInput[], values: InputValues): string[] {
  return inputs
    .filter(({ name, required }) => required && (values[name] ?? '') === '')
    .map(({ name }) => name);
}

/** The reason why a value cannot be what an input asks for; nothing for an empty one. */
export function inputError(
  { kind, minimum, maximum }: ImportInput,
  value: string,
): string | undefined {
  if (kind !== 'number' || value === '') return undefined;
  const number = Number(value);
  if (value.trim() === '' || !Number.isFinite(number)) return INPUTS.noNumber;
  if (minimum !== null && number < minimum) return INPUTS.atLeast(minimum);
  if (maximum !== null && number > maximum) return INPUTS.atMost(maximum);
  return undefined;
}

/**
 * The form with what the user gave in the place of its `${NAME}`s. An input that was left empty
 * stays a variable, which is read from the environment where the user allows that, and has its
 * default otherwise. Where an optional one may not be read, what it alone stands in is left out,
 * with its flag. Of `inputs`, those that may have several values become as many arguments.
 */
export function withValues(
  form: Form,
  values: InputValues,
  inputs: readonly ImportInput[] = [],
): Form {
  const given = Object.entries(values).filter(([, text]) => text !== '');
  const fill = (text: string) =>
    given.reduce(
      (filled, [name, value]) =>
        filled.replaceAll(`\${${name}}`, () => value).replaceAll(`\${${name}:-}`, () => value),
      text,
    );
  const several = new Set(inputs.filter(({ multiple }) => multiple).map(({ name }) => name));
  const fillArgument = (text: string) => {
    const name = /^\$\{([^}:]+)(?::-)?\}$/.exec(text)?.[1];
    if (name === undefined || !several.has(name)) return [fill(text)];
    const lines = (values[name] ?? '').split('\n').filter((line) => line.trim() !== '');
    // Without a value, one that is required stays to be said; another is no argument.
    return lines.length === 0 && !text.endsWith(':-}') ? [text] : lines;
  };
  const isAllowed = (name: string) => form.variables?.includes(name) !== false;
  /** Texts that are left out, those of nothing but an optional input, with the title of each. */
  const empty = new Map(
    inputs
      .filter(({ name, required }) => !required && !isAllowed(name) && !values[name])
      .flatMap(({ name, title }) => [
        [`\${${name}}`, title],
        [`\${${name}:-}`, title],
      ]),
  );
  const fillRows = (rows: readonly NamedText[]) =>
    rows
      .filter(({ text }) => !empty.has(text))
      .map(({ name, text }) => ({ name, text: fill(text) }));
  // A flag goes with its value.
  const isLeftOut = (text: string, next: string | undefined) =>
    empty.has(text) || (next !== undefined && text.startsWith('-') && empty.get(next) === text);
  const words = form.arguments.filter((text, index) => !isLeftOut(text, form.arguments[index + 1]));
  if (given.length === 0 && several.size === 0 && empty.size === 0) return form;
  return {
    ...form,
    command: fill(form.command),
    arguments: words.flatMap(fillArgument),
    environment: fillRows(form.environment),
    workingDirectory: fill(form.workingDirectory),
    url: fill(form.url),
    headers: fillRows(form.headers),
  };
}
