import type { ReactNode } from 'react';
import { Label, Radio, RadioGroup } from 'react-aria-components';
import styles from './radio-list.module.css';

interface RadioChoice<T extends string> {
  value: T;
  label: ReactNode;
  /** A second line: what the choice leads to. */
  detail?: ReactNode;
}

interface RadioListProps<T extends string> {
  label: string;
  choices: readonly RadioChoice<T>[];
  /** Null while nothing is chosen. */
  value: T | null;
  onChange: (value: T) => void;
}

/** One of a few choices, all of them in view. */
export function RadioList<T extends string>({
  label,
  choices,
  value,
  onChange,
}: RadioListProps<T>) {
  return (
    <RadioGroup
      className="stack gap-2 min-w-0"
      value={value}
      onChange={(chosen) => {
        const choice = choices.find((one) => one.value === chosen);
        if (choice) onChange(choice.value);
      }}
    >
      <Label className="medium">{label}</Label>
      <div className="stack overflow-hidden frame-field">
        {choices.map((choice) => (
          <Radio key={choice.value} value={choice.value} className={styles.choice}>
            <span className={styles.dot} aria-hidden="true" />
            <span className="stack grow">
              <span>{choice.label}</span>
              {choice.detail !== undefined && (
                <span className="break-anywhere mono remark">{choice.detail}</span>
              )}
            </span>
          </Radio>
        ))}
      </div>
    </RadioGroup>
  );
}
