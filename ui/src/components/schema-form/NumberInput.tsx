import { useState } from 'react';
import { Input, TextField } from 'react-aria-components';
import { isNumberText } from '@/lib/json/exact';
import { numberText, stringText, type Tagged, tagNumber, tagString } from '@/lib/json/tagged';
import { writtenValue } from '@/lib/schema/choices';
import { useFieldNames } from './FieldShell';
import type { InputProps } from './input-props';
import styles from './schema-form.module.css';
import { exampleOf } from './texts';

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
      id={names.id}
      aria-labelledby={names.labelId}
      aria-describedby={names.describedBy}
      isInvalid={names.invalid}
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
