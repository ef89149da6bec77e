import { TextArea, TextField } from 'react-aria-components';
import { stringText, tagString } from '@/lib/json/tagged';
import { writtenValue } from '@/lib/schema/choices';
import { useFieldNames } from './FieldShell';
import type { InputProps } from './input-props';
import styles from './schema-form.module.css';
import { EMPTY_STRING, exampleOf } from './texts';

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
    <TextField
      id={names.id}
      aria-labelledby={names.labelId}
      aria-describedby={names.describedBy}
      isInvalid={names.invalid}
      value={text}
      onChange={(next) => onChange(tagString(next))}
    >
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
