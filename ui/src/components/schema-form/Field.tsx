import { ADDITIONAL_PROPERTY_FLAG, type FieldProps, type RJSFSchema } from '@rjsf/utils';
import { type ReactNode, useCallback, useMemo } from 'react';
import { toPointer } from '@/lib/json/pointer';
import { isTaggedObject, numberText, stringText, type Tagged } from '@/lib/json/tagged';
import { choicesOf } from '@/lib/schema/choices';
import { titleOf } from '@/lib/schema/describe';
import { AS_JSON, type FormSchema } from '@/lib/schema/form-schema';
import { emptyValue, newItem } from '@/lib/schema/initial';
import { withoutNull } from '@/lib/schema/resolve';
import { BooleanInput, ChoiceInput, MultipleChoiceInput } from './ChoiceInputs';
import { FieldShell } from './FieldShell';
import { FormBoundary } from './FormBoundary';
import { type FormContextValue, useForm } from './form-context';
import type { InputProps } from './input-props';
import { JsonInput } from './JsonInput';
import { libraryField } from './library-field';
import type { Presence } from './PresenceControl';
import { SmallButton } from './SmallButton';
import { ConstantInput, NumberInput, TextInput } from './TextInputs';
import {
  ADD,
  ADD_ITEM,
  ARGUMENTS,
  addItemTo,
  addNamed,
  itemTitle,
  NO_TYPE,
  NOT_OF_TYPE,
} from './texts';
import { isBare, UnionInput } from './UnionInput';

/** Stands in for the library's own `SchemaField`: chooses what draws one part of the value. */
export function Field(props: FieldProps) {
  const form = useForm();
  const { path } = props.fieldPathId;
  const value = (path.length === 0 ? form.value : props.formData) as Tagged;
  const { schemaUtils } = props.registry;
  const schema = useMemo(
    () => schemaUtils.retrieveSchema(props.schema, value ?? undefined) as FormSchema,
    [schemaUtils, props.schema, value],
  );
  const registry = useMemo(
    () => ({
      ...props.registry,
      schemaUtils: Object.assign(Object.create(schemaUtils), {
        // What "Add item" adds; the library's own defaults round numbers.
        getDefaultFormState: (added: FormSchema, given: Tagged) =>
          given ?? newItem(added, form.root),
      }),
    }),
    [props.registry, schemaUtils, form.root],
  );
  const { change } = form;
  const onChange = useCallback<FieldProps['onChange']>(
    (next, changed) => change(changed, next as Tagged),
    [change],
  );
  const field: FieldProps = { ...props, registry, formData: value, onChange };
  return <Present form={form} field={field} schema={schema} value={value} />;
}

interface PresentProps {
  form: FormContextValue;
  field: FieldProps;
  schema: FormSchema;
  value: Tagged;
}

/** Keeps null, absent and a value apart. */
function Present({ form, field, schema, value }: PresentProps) {
  const { path } = field.fieldPathId;
  const last = path.at(-1);
  const isRoot = path.length === 0;
  const isItem = typeof last === 'number';
  const name = isRoot || isItem ? '' : String(last);
  const title = isItem
    ? itemTitle(schema.title, last)
    : titleOf(schema, String(field.name || last || ARGUMENTS));
  const choices = choicesOf(schema);
  const inner = choices === undefined ? withoutNull(schema) : undefined;
  const required = isRoot || isItem || field.required === true;
  const additional = additionalOf(field);
  // A member that the user named stays while its value is emptied; a cross removes it.
  const change = (next: Tagged) => form.change(path, next === undefined && additional ? '' : next);
  const start = () => change(newItem(inner ?? schema, form.root));
  const input: InputProps = {
    schema: inner ?? schema,
    // An item has its place even before it has a value: the JSON then says null.
    value:
      value === null && (inner !== undefined || (isItem && !isNull(schema))) ? undefined : value,
    title,
    name,
    pointer: toPointer(path),
    required,
    onChange: change,
  };
  const presence: Presence = {
    nullable: inner !== undefined,
    optional: !required,
    state:
      value === undefined ? 'absent' : value === null && inner !== undefined ? 'null' : 'value',
    onAbsent: () => change(undefined),
    onNull: () => change(null),
    onValue: start,
  };
  const shell = (children: ReactNode, group?: boolean) => (
    <FieldShell
      input={input}
      declared={schema}
      presence={presence}
      group={group === true}
      bare={isRoot || isBare(schema)}
      additional={additional}
    >
      {presence.state === 'null' ? null : children}
    </FieldShell>
  );
  const asJson = (reason: string) => (
    <FormBoundary fallback={null}>{shell(<JsonInput {...input} reason={reason} />)}</FormBoundary>
  );
  return draw({ form, field, input, presence, shell, asJson });
}

/** Tells whether the schema asks for null itself. */
function isNull(schema: FormSchema): boolean {
  return schema.type === 'null' || schema.const === null || AS_JSON in schema;
}

function additionalOf(field: FieldProps) {
  if (!(ADDITIONAL_PROPERTY_FLAG in field.schema)) return undefined;
  return {
    name: String(field.fieldPathId.path.at(-1)),
    onRename: (name: string) => field.onKeyRename?.(name),
    onRemove: () => field.onRemoveProperty?.(),
  };
}

interface Drawing {
  form: FormContextValue;
  field: FieldProps;
  input: InputProps;
  presence: Presence;
  shell(children: ReactNode, group?: boolean): ReactNode;
  asJson(reason: string): ReactNode;
}

function draw({ form, field, input, presence, shell, asJson }: Drawing): ReactNode {
  const { schema, value } = input;
  if (AS_JSON in schema) return asJson(String(schema[AS_JSON]));
  const choices = choicesOf(schema);
  if (choices) return shell(<ChoiceInput {...input} choices={choices} />);
  if (schema.oneOf || schema.anyOf) {
    return shell(<UnionInput {...input} field={field} />, true);
  }
  if (schema.const !== undefined) {
    return shell(<ConstantInput {...input} constant={schema.const} />);
  }
  switch (schema.type) {
    case 'object': {
      if (value !== undefined && !isTaggedObject(value)) return asJson(NOT_OF_TYPE.object);
      if (value === undefined) return shell(<AddButton input={input} presence={presence} />, true);
      const ObjectField = libraryField(field, 'ObjectField');
      return shell(<ObjectField {...field} schema={schema as RJSFSchema} formData={value} />, true);
    }
    case 'array': {
      if (value !== undefined && !Array.isArray(value)) return asJson(NOT_OF_TYPE.array);
      const several = schema.uniqueItems && !Array.isArray(schema.items) && schema.items;
      const choicesOfItems =
        several &&
        choicesOf(field.registry.schemaUtils.retrieveSchema(several as RJSFSchema) as FormSchema);
      if (choicesOfItems) {
        return shell(<MultipleChoiceInput {...input} choices={choicesOfItems} />, true);
      }
      if (value === undefined) return shell(<AddButton input={input} presence={presence} />, true);
      const ArrayField = libraryField(field, 'ArrayField');
      return shell(
        <ArrayField
          {...field}
          schema={{ ...schema, title: input.title } as RJSFSchema}
          formData={value}
        />,
        true,
      );
    }
    case 'boolean':
      if (value !== undefined && typeof value !== 'boolean') return asJson(NOT_OF_TYPE.boolean);
      return shell(<BooleanInput {...input} />, true);
    case 'integer':
    case 'number':
      if (!NumberInput.accepts(value)) return asJson(NOT_OF_TYPE.number);
      return shell(<NumberInput {...input} />);
    case 'string':
      if (value !== undefined && stringText(value) === undefined) {
        return asJson(
          numberText(value) === undefined ? NOT_OF_TYPE.string : NOT_OF_TYPE.stringButNumber,
        );
      }
      return shell(<TextInput {...input} />);
    case 'null':
      return shell(<ConstantInput {...input} constant={null} />);
    default: {
      const fallback = emptyValue(schema, form.root);
      if (isTaggedObject(fallback) && schema.properties) {
        const ObjectField = libraryField(field, 'ObjectField');
        return shell(
          <ObjectField {...field} schema={schema as RJSFSchema} formData={value} />,
          true,
        );
      }
      return asJson(NO_TYPE);
    }
  }
}

/** Makes an optional object or array that is absent. */
function AddButton({ input, presence }: { input: InputProps; presence: Presence }) {
  const form = useForm();
  const { items, type } = input.schema;
  const addItem = () =>
    Array.isArray(items) || items === undefined
      ? presence.onValue()
      : input.onChange([newItem(items, form.root)]);
  return type === 'array' ? (
    <SmallButton label={addItemTo(input.title)} onClick={addItem}>
      {ADD_ITEM}
    </SmallButton>
  ) : (
    <SmallButton label={addNamed(input.title)} onClick={presence.onValue}>
      {ADD}
    </SmallButton>
  );
}
