import { useState } from 'react';
import { Input, TextArea, TextField } from 'react-aria-components';
import { isNumberText } from '@/lib/json/exact';
import {
  numberText,
  stringText,
  type Tagged,
  taggedText,
  tagNumber,
  tagString,
} from '@/lib/json/tagged';
import { sameValue, writtenValue } from '@/lib/schema/choices';
import { visibleText } from '@/lib/visible-text';
import { useFieldNames } from './FieldShell';
import type { InputProps } from './input-props';
import { SmallButton } from './SmallButton';
import styles from './schema-form.module.css';
import { EMPTY_STRING, exampleOf, send } from './texts';

/** More lines than this scroll. */
const MAX_LINES = 12;

/**
 * A string. Always an area of lines, because a one-line input drops line breaks from pasted
 * text without a word.
 */
export function TextInput({ schema, value, onChange }: InputProps) {
  const names = useFieldNames();
  const text = value === undefined ? '' : (stringText(value) ?? '');
  const example = schema.examples?.[0];
  const placeholder =
    value === ''
      ? EMPTY_STRING
      : (names.placeholder ??
        (example === undefined ? undefined : exampleOf(writtenValue(example))));
  const secret = schema.format === 'password';
  const lines = Math.min(text.split('\n').length, MAX_LINES);
  return (
    <TextField {...names.field} value={text} onChange={(next) => onChange(tagString(next))}>
      <TextArea
        className={styles.input}
        dir="auto"
        data-secret={secret || undefined}
        rows={lines}
        placeholder={placeholder}
        spellCheck={false}
        autoComplete="off"
      />
    </TextField>
  );
}

/**
 * A number, kept digit by digit as it is typed. Text that is no number is sent as a string, as
 * servers have to be tested with such input too; the violation beside the field says so.
 */
export function NumberInput({ schema, value, onChange }: InputProps) {
  const names = useFieldNames();
  const shown = textOf(value);
  const [typed, setTyped] = useState(shown);
  // What was typed counts as long as it means the value: "+5 " is written 5.
  const text = textOf(meaning(typed)) === shown ? typed : shown;
  const example = schema.examples?.[0];
  return (
    <TextField
      {...names.field}
      value={text}
      onChange={(next) => {
        setTyped(next);
        onChange(meaning(next));
      }}
    >
      <Input
        className={styles.input}
        inputMode={schema.type === 'integer' ? 'numeric' : 'decimal'}
        placeholder={
          names.placeholder ??
          (example === undefined ? undefined : exampleOf(writtenValue(example)))
        }
        spellCheck={false}
        autoComplete="off"
      />
    </TextField>
  );
}

/** Tells whether this input can show a value: a number, nothing, or a string that is no number. */
NumberInput.accepts = (value: Tagged): boolean => {
  if (value === undefined || numberText(value) !== undefined) return true;
  const string = stringText(value);
  return string !== undefined && !isNumberText(string.trim());
};

function textOf(value: Tagged): string {
  if (value === undefined) return '';
  return numberText(value) ?? stringText(value) ?? '';
}

/** Returns the value of a typed text; nothing typed is absent. */
function meaning(typed: string): Tagged {
  const text = typed.trim();
  if (text === '') return undefined;
  return isNumberText(text) ? tagNumber(text) : tagString(text);
}

/** The one value that the schema allows: shown, and put in where another stands. */
export function ConstantInput({
  value,
  onChange,
  constant,
}: InputProps & { constant: InputProps['value'] }) {
  const names = useFieldNames();
  const written = visibleText(taggedText(constant, 0) ?? '');
  const isSet = value !== undefined && sameValue(value, constant);
  return (
    <div className={styles.constant}>
      <TextField
        {...names.field}
        isReadOnly
        value={value === undefined ? '' : visibleText(taggedText(value, 0) ?? '')}
      >
        <Input className={styles.input} placeholder={names.placeholder ?? ''} />
      </TextField>
      {!isSet && <SmallButton onClick={() => onChange(constant)}>{send(written)}</SmallButton>}
    </div>
  );
}
