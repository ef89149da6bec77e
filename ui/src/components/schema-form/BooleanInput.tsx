import { ToggleButton, ToggleButtonGroup } from 'react-aria-components';
import { useFieldNames } from './FieldShell';
import type { InputProps } from './input-props';
import styles from './schema-form.module.css';

/** True, false, or neither yet. */
export function BooleanInput({ value, onChange }: InputProps) {
  const names = useFieldNames();
  return (
    <ToggleButtonGroup
      className={styles.segments}
      aria-labelledby={names.labelId}
      aria-describedby={names.describedBy}
      selectionMode="single"
      disallowEmptySelection
      selectedKeys={value === undefined ? [] : [String(value)]}
      onSelectionChange={(keys) => {
        const [key] = [...keys];
        if (key !== undefined) onChange(key === 'true');
      }}
    >
      <ToggleButton id="true">true</ToggleButton>
      <ToggleButton id="false">false</ToggleButton>
    </ToggleButtonGroup>
  );
}
