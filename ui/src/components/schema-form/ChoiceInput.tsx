import { ChevronDown } from 'lucide-react';
import {
  Button,
  ListBox,
  ListBoxItem,
  Popover,
  Select,
  SelectValue,
  Text,
} from 'react-aria-components';
import { type Choice, sameValue, writtenValue } from '@/lib/schema/choices';
import { visibleText } from '@/lib/visible-text';
import { useFieldNames } from './FieldShell';
import type { InputProps } from './input-props';
import styles from './schema-form.module.css';
import { CHOOSE, unlistedValue } from './texts';

/** One value of an enumeration. */
export function ChoiceInput({ value, onChange, choices }: InputProps & { choices: Choice[] }) {
  const names = useFieldNames();
  const selected =
    value === undefined ? -1 : choices.findIndex((known) => sameValue(known.value, value));
  const unlisted = value !== undefined && selected < 0;
  return (
    <ChoiceSelect
      id={names.id}
      labelId={names.labelId}
      describedBy={names.describedBy}
      invalid={names.invalid}
      options={choices.map(({ value: of, label, description }) => {
        const written = writtenValue(of);
        return {
          label,
          detail: [label === written ? '' : written, description].filter(Boolean).join(' · '),
        };
      })}
      selected={selected}
      placeholder={unlisted ? unlistedValue(writtenValue(value)) : (names.placeholder ?? CHOOSE)}
      onSelect={(index) => onChange(choices[index]?.value)}
    />
  );
}

interface ChoiceSelectProps {
  id?: string;
  label?: string;
  labelId?: string;
  describedBy?: string | undefined;
  invalid?: boolean;
  options: { label: string; detail: string }[];
  /** An index; below zero for none. */
  selected: number;
  placeholder: string;
  onSelect(index: number): void;
}

/** A list that opens below its field. */
export function ChoiceSelect(props: ChoiceSelectProps) {
  const { options, selected } = props;
  return (
    <Select
      {...(props.id ? { id: props.id } : {})}
      {...(props.label ? { 'aria-label': props.label } : {})}
      {...(props.labelId ? { 'aria-labelledby': props.labelId } : {})}
      aria-describedby={props.describedBy}
      isInvalid={props.invalid ?? false}
      value={selected < 0 ? null : selected}
      placeholder={props.placeholder}
      onChange={(key) => {
        if (key !== null) props.onSelect(Number(key));
      }}
    >
      <Button className={styles.select}>
        <SelectValue>
          {({ isPlaceholder, defaultChildren }) =>
            isPlaceholder ? (
              <span className={styles.placeholder}>{defaultChildren}</span>
            ) : (
              <bdi title={visibleText(options[selected]?.label ?? '')}>
                {visibleText(options[selected]?.label ?? '')}
              </bdi>
            )
          }
        </SelectValue>
        <ChevronDown size={12} aria-hidden />
      </Button>
      <Popover className={styles.popover}>
        <ListBox className="pad-x-2 pad-y-2 no-outline">
          {options.map(({ label, detail }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: options are known by their place.
            <ListBoxItem key={index} id={index} textValue={label} className={styles.option}>
              <Text slot="label">
                <bdi>{visibleText(label)}</bdi>
              </Text>
              {detail && (
                <Text slot="description" className={styles.detail}>
                  {visibleText(detail)}
                </Text>
              )}
            </ListBoxItem>
          ))}
        </ListBox>
      </Popover>
    </Select>
  );
}
