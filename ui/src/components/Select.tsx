import { Check, ChevronDown } from 'lucide-react';
import type { Key, ReactNode } from 'react';
import {
  Select as AriaSelect,
  Button,
  Label,
  ListBox,
  ListBoxItem,
  Popover,
  SelectValue,
  Text,
} from 'react-aria-components';
import { classes } from './classes';
import fields from './fields.module.css';
import styles from './select.module.css';

export interface Choice<T extends string> {
  value: T;
  label: string;
  /** A second line that helps to choose. */
  detail?: string;
}

interface SelectProps<T extends string> {
  label: string;
  hideLabel?: boolean;
  annotation?: ReactNode;
  description?: ReactNode;
  choices: readonly Choice<T>[];
  /** The chosen value; null for none. */
  value: T | null;
  placeholder?: string;
  isDisabled?: boolean;
  autoFocus?: boolean;
  className?: string;
  onChange: (value: T) => void;
}

/** One of a few values. */
export function Select<T extends string>({
  label,
  hideLabel,
  annotation,
  description,
  choices,
  value,
  placeholder,
  isDisabled,
  autoFocus,
  className,
  onChange,
}: SelectProps<T>) {
  return (
    <AriaSelect
      aria-label={hideLabel ? label : undefined}
      className={classes(fields.field, className)}
      selectedKey={value}
      placeholder={placeholder}
      isDisabled={isDisabled}
      autoFocus={autoFocus}
      onSelectionChange={(key: Key | null) => {
        const chosen = choices.find((choice) => choice.value === key);
        if (chosen) onChange(chosen.value);
      }}
    >
      {!hideLabel && (
        <Label className="mb-2 medium">
          {label}{' '}
          {annotation && <span className={classes(fields.annotation, 'mono')}>{annotation}</span>}
        </Label>
      )}
      <Button className={styles.button}>
        <SelectValue className={styles.value}>
          {({ selectedText, defaultChildren }) => selectedText || defaultChildren}
        </SelectValue>
        <ChevronDown size={13} aria-hidden="true" />
      </Button>
      {description && (
        <Text slot="description" className="mt-2 text-data remark">
          {description}
        </Text>
      )}
      <Popover className={styles.popover} offset={4}>
        <ListBox className="pad-x-2 pad-y-2 no-outline" items={choices}>
          {(choice) => (
            <ListBoxItem id={choice.value} textValue={choice.label} className={styles.item}>
              <Check className={styles.check} size={13} aria-hidden="true" />
              <span className="stack min-w-0">
                <Text slot="label">{choice.label}</Text>
                {choice.detail && (
                  <Text slot="description" className="break-anywhere text-small remark">
                    {choice.detail}
                  </Text>
                )}
              </span>
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </AriaSelect>
  );
}
