import { Check } from 'lucide-react';
import { Checkbox, CheckboxGroup } from 'react-aria-components';
import type { Tagged } from '@/lib/json/tagged';
import { type Choice, sameValue, writtenValue } from '@/lib/schema/choices';
import { visibleText } from '@/lib/visible-text';
import { useFieldNames } from './FieldShell';
import type { InputProps } from './input-props';
import styles from './schema-form.module.css';
import { notListed } from './texts';

/** Several values of an enumeration; the array keeps the order of the enumeration. */
export function MultipleChoiceInput({
  value,
  onChange,
  choices,
}: InputProps & { choices: Choice[] }) {
  const names = useFieldNames();
  const items: Tagged[] = Array.isArray(value) ? value : [];
  const unlisted = items.filter((item) => !choices.some((known) => sameValue(known.value, item)));
  const selected = choices.flatMap((known, index) =>
    items.some((item) => sameValue(known.value, item)) ? [String(index)] : [],
  );
  return (
    <CheckboxGroup
      className={styles.checks}
      aria-labelledby={names.labelId}
      aria-describedby={names.describedBy}
      value={selected}
      onChange={(keys) =>
        onChange([
          ...choices.filter((_, index) => keys.includes(String(index))).map((known) => known.value),
          ...unlisted,
        ])
      }
    >
      {choices.map((known, index) => {
        const written = writtenValue(known.value);
        return (
          <Checkbox key={written} value={String(index)} className={styles.check}>
            <span className={styles.box} aria-hidden>
              <Check size={11} />
            </span>
            <bdi>{visibleText(known.label)}</bdi>
            {known.label !== written && (
              <span className={styles.detail}>{visibleText(written)}</span>
            )}
          </Checkbox>
        );
      })}
      {unlisted.length > 0 && (
        <div className={styles.hints}>{notListed(unlisted.map(writtenValue))}</div>
      )}
    </CheckboxGroup>
  );
}
