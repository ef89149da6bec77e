import type { ImportInput } from '@/backend/bindings';
import { Select } from '@/components/Select';
import { TextField } from '@/components/TextField';
import { entirelyVisible, entirelyVisibleLines } from '@/lib/visible-text';
import styles from './add.module.css';
import { type InputValues, inputError } from './inputs';
import { INPUTS } from './texts';

interface InputFieldsProps {
  inputs: readonly ImportInput[];
  values: InputValues;
  /** True if secrets go into the keychain. */
  keepsSecrets: boolean;
  /** Variables of the environment that are read where a value is left empty. */
  allowed: readonly string[];
  onChange: (values: InputValues) => void;
}

/** Fields for the inputs that a server needs, the required ones first. */
export function InputFields(props: InputFieldsProps) {
  const { inputs, values, keepsSecrets, allowed, onChange } = props;
  if (inputs.length === 0) return null;
  const ordered = inputs.toSorted((one, other) => Number(other.required) - Number(one.required));
  return (
    <fieldset className={styles.inputs}>
      <legend>{INPUTS.title}</legend>
      <div className={styles.pair}>
        {ordered.map((input) => (
          <InputField
            key={input.name}
            input={input}
            keepsSecrets={keepsSecrets}
            isAllowed={allowed.includes(input.name)}
            value={values[input.name] ?? ''}
            onChange={(value) => onChange({ ...values, [input.name]: value })}
          />
        ))}
      </div>
    </fieldset>
  );
}

interface InputFieldProps {
  input: ImportInput;
  keepsSecrets: boolean;
  isAllowed: boolean;
  value: string;
  onChange: (value: string) => void;
}

function InputField({ input, keepsSecrets, isAllowed, value, onChange }: InputFieldProps) {
  const { name, required, secret, choices, kind, multiple } = input;
  // A stranger wrote them.
  const label = entirelyVisible(input.title || name);
  const description = entirelyVisibleLines(input.description);
  const annotation = required ? 'required' : secret ? 'secret' : undefined;
  if (choices.length > 0) {
    return (
      <Select
        label={label}
        annotation={annotation}
        description={description || undefined}
        placeholder={INPUTS.chooseOne}
        choices={choices.map((choice) => ({ value: choice, label: entirelyVisible(choice) }))}
        value={value === '' ? null : value}
        onChange={onChange}
      />
    );
  }
  return (
    <TextField
      label={label}
      annotation={annotation}
      mono
      type={secret ? 'password' : 'text'}
      inputMode={kind === 'number' ? 'decimal' : undefined}
      lines={multiple ? Math.max(2, value.split('\n').length) : undefined}
      error={inputError(input, value)}
      value={value}
      placeholder={isAllowed ? INPUTS.fromEnvironment(name) : undefined}
      description={
        <>
          {description} {multiple && INPUTS.onePerLine}
          {secret && keepsSecrets && INPUTS.kept}
          {secret && !keepsSecrets && value !== '' && (
            <span className={styles.caution}>
              <span aria-hidden="true">▲ </span>
              {INPUTS.written}
            </span>
          )}
        </>
      }
      onChange={onChange}
    />
  );
}
