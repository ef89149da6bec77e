import { Input, TextField } from 'react-aria-components';
import { taggedText } from '@/lib/json/tagged';
import { sameValue } from '@/lib/schema/choices';
import { visibleText } from '@/lib/visible-text';
import { useFieldNames } from './FieldShell';
import type { InputProps } from './input-props';
import styles from './schema-form.module.css';
import { send } from './texts';

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
        id={names.id}
        aria-labelledby={names.labelId}
        aria-describedby={names.describedBy}
        isInvalid={names.invalid}
        isReadOnly
        value={value === undefined ? '' : visibleText(taggedText(value, 0) ?? '')}
      >
        <Input className={styles.input} placeholder={names.placeholder ?? ''} />
      </TextField>
      {!isSet && (
        <button type="button" className={styles.add} onClick={() => onChange(constant)}>
          {send(written)}
        </button>
      )}
    </div>
  );
}
