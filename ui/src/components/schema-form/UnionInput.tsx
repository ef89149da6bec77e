import type { FieldProps, RJSFSchema } from '@rjsf/utils';
import { useState } from 'react';
import { isTaggedObject, numberText, stringText, type Tagged } from '@/lib/json/tagged';
import { sameValue } from '@/lib/schema/choices';
import { typeText } from '@/lib/schema/describe';
import { fits } from '@/lib/schema/fits';
import type { FormSchema } from '@/lib/schema/form-schema';
import { initialValue } from '@/lib/schema/initial';
import { resolveSchema } from '@/lib/schema/resolve';
import { ChoiceSelect } from './ChoiceInputs';
import { useForm } from './form-context';
import type { InputProps } from './input-props';
import { libraryField } from './library-field';
import styles from './schema-form.module.css';
import { alternative, CHOOSE_ONE, kindOf } from './texts';

/** Marks the chosen alternative: the union has drawn its line already. */
const BARE = 'sightglass:bare';

export function isBare(schema: FormSchema): boolean {
  return schema[BARE] === true;
}

/** One of several shapes: a chooser, and below it the fields of the chosen one. */
export function UnionInput({
  schema,
  value,
  title,
  onChange,
  field,
}: InputProps & { field: FieldProps }) {
  const form = useForm();
  const [chosen, setChosen] = useState<number>();
  const { oneOf, anyOf, title: _, description: __, ...shared } = schema;
  const options = (oneOf ?? anyOf ?? []).map((option) =>
    merged(shared, resolveSchema(option, form.root)),
  );
  const matching = value === undefined ? -1 : matchOption(options, value, form.root);
  const held = chosen === undefined ? undefined : options[chosen];
  // The choice stands while the value could still become what it says.
  const keeps = held !== undefined && (value === undefined || couldBe(held, value));
  const selected = keeps && chosen !== undefined ? chosen : matching;
  const option = options[selected];

  const select = (index: number) => {
    const next = options[index];
    if (!next) return;
    setChosen(index);
    onChange(carryOver(value, initialValue(next, form.root)));
  };
  const SchemaField = libraryField(field, 'SchemaField');
  return (
    <>
      <ChoiceSelect
        label={kindOf(title)}
        options={options.map((candidate, index) => ({
          label: nameOf(candidate, form.root, index),
          detail: candidate.title && !candidate.properties ? typeText(candidate, form.root) : '',
        }))}
        selected={selected}
        placeholder={CHOOSE_ONE}
        onSelect={select}
      />
      {option && (
        <div className={styles.alternative} key={selected}>
          <SchemaField
            {...field}
            schema={{ ...option, [BARE]: true } as RJSFSchema}
            formData={value}
            required
          />
        </div>
      )}
    </>
  );
}

/** Names of fields that tell an alternative apart. */
const MAX_FIELDS_TOLD = 4;

/** "Circle – kind, radius": its title, its constant or its type, and its fields. */
function nameOf(option: FormSchema, root: FormSchema, index: number): string {
  const names = Object.keys(option.properties ?? {});
  const more = names.length > MAX_FIELDS_TOLD ? ', …' : '';
  const fields = names.slice(0, MAX_FIELDS_TOLD).join(', ') + more;
  const name = option.title ?? constantOf(option);
  if (name !== undefined) return fields === '' ? name : `${name} – ${fields}`;
  if (fields !== '') return fields;
  const text = typeText(option, root);
  return text === 'object' || text === 'any' ? alternative(index) : text;
}

/** The constant that tells alternatives apart. */
function constantOf(option: FormSchema): string | undefined {
  for (const [name, property] of Object.entries(option.properties ?? {})) {
    const text = property.const === undefined ? undefined : stringText(property.const);
    if (text !== undefined) return `${name}: ${text}`;
  }
  return undefined;
}

/** An alternative together with what holds for all of them. */
function merged(shared: FormSchema, option: FormSchema): FormSchema {
  const result: FormSchema = { ...shared, ...option };
  if (shared.properties || option.properties) {
    result.properties = { ...shared.properties, ...option.properties };
    result.type = 'object';
  }
  const required = [...(shared.required ?? []), ...(option.required ?? [])];
  if (required.length > 0) result.required = [...new Set(required)];
  return result;
}

/** The alternative that a value is: the first that it fits, else the first it could become. */
function matchOption(options: FormSchema[], value: Tagged, root: FormSchema): number {
  const fitting = options.findIndex((option) => fits(option, value, root));
  return fitting >= 0 ? fitting : options.findIndex((option) => couldBe(option, value));
}

/** Tells whether type and constants agree, whatever else is missing. */
function couldBe(option: FormSchema, value: Tagged): boolean {
  if (option.const !== undefined) return sameValue(option.const, value);
  if (
    option.type !== undefined &&
    !typesOf(value).some((type) => [option.type].flat().includes(type))
  ) {
    return false;
  }
  if (!isTaggedObject(value)) return true;
  return Object.entries(option.properties ?? {}).every(
    ([name, property]) =>
      property.const === undefined ||
      value[name] === undefined ||
      sameValue(property.const, value[name]),
  );
}

function typesOf(value: Tagged): string[] {
  if (value === null) return ['null'];
  if (value === undefined) return [];
  if (typeof value === 'boolean') return ['boolean'];
  if (Array.isArray(value)) return ['array'];
  if (isTaggedObject(value)) return ['object'];
  const number = numberText(value);
  if (number === undefined) {
    // Half-typed numbers are strings.
    return ['string', 'number', 'integer'];
  }
  return /[.eE]/.test(number) ? ['number'] : ['integer', 'number'];
}

/** Members of the same name survive a change of the alternative. */
function carryOver(before: Tagged, fresh: Tagged): Tagged {
  if (!isTaggedObject(before) || !isTaggedObject(fresh)) return fresh;
  const kept = Object.entries(before).filter(
    ([name]) => name in fresh && fresh[name] === undefined,
  );
  return { ...fresh, ...Object.fromEntries(kept) };
}
