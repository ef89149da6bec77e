import type { Candidate, ImportInput, NamedText } from '@/backend/bindings';
import type { Form } from '../edit/draft';

/** The values that the user gave for the inputs of a candidate, by name. */
export type InputValues = Readonly<Record<string, string>>;

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

/**
 * The form with what the user gave in the place of its `${NAME}`s. An input that was left empty
 * stays a variable, which is then read from the environment.
 */
export function withValues(form: Form, values: InputValues): Form {
  const given = Object.entries(values).filter(([, text]) => text !== '');
  const fill = (text: string) =>
    given.reduce((filled, [name, value]) => filled.replaceAll(`\${${name}}`, () => value), text);
  const fillRows = (rows: readonly NamedText[]) =>
    rows.map(({ name, text }) => ({ name, text: fill(text) }));
  if (given.length === 0) return form;
  return {
    ...form,
    command: fill(form.command),
    arguments: form.arguments.map(fill),
    environment: fillRows(form.environment),
    workingDirectory: fill(form.workingDirectory),
    url: fill(form.url),
    headers: fillRows(form.headers),
  };
}
