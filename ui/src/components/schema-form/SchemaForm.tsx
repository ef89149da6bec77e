// Not the package's index: that one also loads its test helper, which needs a validator that
// generates code.

import Form from '@rjsf/core/lib/components/Form.js';
import { englishStringTranslator, type RJSFSchema, TranslatableString } from '@rjsf/utils';
import { memo, useCallback, useMemo, useRef, useState } from 'react';
import { JsonEditor } from '@/components/json-editor/JsonEditor';
import { attempt } from '@/lib/attempt';
import { parseExact, stringifyExact } from '@/lib/json/exact';
import { setTagged, type Tagged, tag, untag } from '@/lib/json/tagged';
import { hasTooManyFields, tooLargeForForm } from '@/lib/schema/budget';
import { AS_JSON, type FormSchema } from '@/lib/schema/form-schema';
import { LEFT_OUT, MAX_FIELDS } from '@/lib/schema/limits';
import { prepareSchema } from '@/lib/schema/prepare';
import type { Violation } from '@/lib/schema/violation';
import { Field } from './Field';
import { FormBoundary } from './FormBoundary';
import { type FieldPath, FormContext, type FormContextValue } from './form-context';
import { branchValidator } from './rjsf-validator';
import styles from './schema-form.module.css';
import { ArrayTemplate, ItemTemplate, ObjectTemplate } from './Templates';
import { EDIT_AS_JSON, NO_FORM, tooLarge, tooManyFields, unreadableAt } from './texts';

interface SchemaFormProps {
  /** A JSON Schema, as JSON. */
  schema: string;
  /** The value, as JSON; numbers in it are kept as they are written. */
  value: string;
  onChange(value: string): void;
  /** The violations of the schema; shown at the fields. */
  violations: readonly Violation[];
  /** Called with a reason while a part of the form is not JSON, and with nothing once it is. */
  onUnreadable?(reason: string | undefined): void;
  label: string;
}

const FIELDS = { SchemaField: Field };
const TEMPLATES = {
  ObjectFieldTemplate: ObjectTemplate,
  ArrayFieldTemplate: ArrayTemplate,
  ArrayFieldItemTemplate: ItemTemplate,
};
const NO_DEFAULTS = {
  emptyObjectFields: 'skipDefaults',
  constAsDefaults: 'never',
  // The library makes as many items as a schema asks for, however many that are.
  arrayMinItems: { populate: 'never', mergeExtraDefaults: false },
} as const;
const UI_SCHEMA = { 'ui:submitButtonOptions': { norender: true } };

/**
 * A form for any JSON Schema.
 *
 * The library draws objects, arrays, references and conditions; the value never passes
 * through its own state, which would add defaults and round numbers: fields read it from, and
 * write it to, {@link FormContext}.
 */
export const SchemaForm = memo(function SchemaForm(props: SchemaFormProps) {
  const { schema, value, onChange, label } = props;
  const drawn = useMemo(() => drawnAs(schema), [schema]);
  const editor = (reason: string) => (
    <div className="stack gap-3">
      <p className="break-anywhere remark">
        ▲ {reason} {EDIT_AS_JSON}
      </p>
      <JsonEditor
        label={label}
        value={value}
        onChange={onChange}
        schema={schema}
        violations={props.violations}
        minimumLines={6}
      />
    </div>
  );
  const tooMany = useMemo(() => {
    const held = 'prepared' in drawn ? attempt(() => tag(parseExact(value))) : undefined;
    return held !== undefined && 'prepared' in drawn
      ? hasTooManyFields(drawn.prepared, held, drawn.prepared)
      : false;
  }, [drawn, value]);
  if ('reason' in drawn) return editor(drawn.reason);
  if (tooMany) return editor(tooManyFields(MAX_FIELDS));
  const { prepared } = drawn;
  return (
    <FormBoundary key={schema} fallback={editor(NO_FORM)}>
      <PreparedForm {...props} prepared={prepared} />
    </FormBoundary>
  );
});

function PreparedForm({
  prepared,
  value,
  onChange,
  violations,
  onUnreadable,
  label,
}: SchemaFormProps & { prepared: FormSchema }) {
  // The text this form wrote last: any other text came from outside.
  const written = useRef<string | undefined>(undefined);
  const generation = useRef(0);
  const [current, setCurrent] = useState<{ text: string; tagged: Tagged }>();
  let held = current;
  if (held === undefined || held.text !== value) {
    held = { text: value, tagged: attempt(() => tag(parseExact(value))) };
    setCurrent(held);
    if (written.current !== value) generation.current += 1;
  }
  const latest = useRef(held.tagged);
  latest.current = held.tagged;

  const change = useCallback(
    (path: FieldPath, replacement: Tagged) => {
      // The library says "remove this member" with a symbol of its own.
      const removed = typeof replacement === 'symbol';
      const next = setTagged(latest.current, path, removed ? undefined : replacement);
      const text = stringifyExact(untag(next) ?? {});
      latest.current = next;
      written.current = text;
      setCurrent({ text, tagged: next });
      onChange(text);
    },
    [onChange],
  );

  const unreadable = useRef(new Map<string, string>());
  const setUnreadable = useCallback(
    (pointer: string, problem: string | undefined) => {
      if (problem === undefined) unreadable.current.delete(pointer);
      else unreadable.current.set(pointer, problem);
      const [first] = unreadable.current;
      onUnreadable?.(first && unreadableAt(first[0].slice(1), first[1]));
    },
    [onUnreadable],
  );

  const byPointer = useMemo(() => {
    const map = new Map<string, Violation[]>();
    for (const violation of violations) {
      map.set(violation.pointer, [...(map.get(violation.pointer) ?? []), violation]);
    }
    return map;
  }, [violations]);

  const context = useMemo<FormContextValue>(
    () => ({
      value: held.tagged,
      root: prepared,
      violations: byPointer,
      change,
      setUnreadable,
    }),
    [held.tagged, prepared, byPointer, change, setUnreadable],
  );

  return (
    <FormContext value={context}>
      <fieldset className={styles.form} aria-label={label}>
        <Form
          key={generation.current}
          schema={prepared as RJSFSchema}
          uiSchema={UI_SCHEMA}
          validator={branchValidator}
          fields={FIELDS}
          templates={TEMPLATES}
          experimental_defaultFormStateBehavior={NO_DEFAULTS}
          translateString={translate}
          noValidate
          noHtml5Validate
          tagName="div"
        >
          {' '}
        </Form>
      </fieldset>
    </FormContext>
  );
}

/** A schema as the form draws it, or why it has no form. */
function drawnAs(schema: string): { prepared: FormSchema } | { reason: string } {
  const prepared = attempt(() => prepareSchema(schema));
  if (prepared === undefined) return { reason: NO_FORM };
  if (LEFT_OUT in prepared && AS_JSON in prepared) return { reason: String(prepared[AS_JSON]) };
  const reason = tooLargeForForm(prepared);
  if (reason !== undefined) {
    return { reason: tooLarge(reason) };
  }
  return { prepared };
}

/** Returns the library's own texts; a new entry of a map starts empty instead of as "New Value". */
function translate(text: TranslatableString, parameters?: string[]): string {
  return text === TranslatableString.NewStringDefault
    ? ''
    : englishStringTranslator(text, parameters);
}
