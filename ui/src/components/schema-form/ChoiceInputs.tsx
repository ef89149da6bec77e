import { Check, ChevronDown } from 'lucide-react';
import {
  Button,
  Checkbox,
  CheckboxGroup,
  ListBox,
  ListBoxItem,
  Popover,
  Select,
  SelectValue,
  Text,
  ToggleButton,
  ToggleButtonGroup,
} from 'react-aria-components';
import type { Tagged } from '@/lib/json/tagged';
import { type Choice, sameValue, writtenValue } from '@/lib/schema/choices';
import { visibleText } from '@/lib/visible-text';
import { useFieldNames } from './FieldShell';
import type { InputProps } from './input-props';
import styles from './schema-form.module.css';
import { CHOOSE, notListed, unlistedValue } from './texts';

/** One value of an enumeration. */
export function ChoiceInput({ value, onChange, choices }: InputProps & { choices: Choice[] }) {
  const names = useFieldNames();
  const selected =
    value === undefined ? -1 : choices.findIndex((known) => sameValue(known.value, value));
  const unlisted = value !== undefined && selected < 0;
  return (
    <ChoiceSelect
      field={names.field}
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
  field?: ReturnType<typeof useFieldNames>['field'];
  label?: string;
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
      {...props.field}
      aria-label={props.label}
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

/** Several values of an enumeration; the array keeps the order of the enumeration. */
export function MultipleChoiceInput({
  value,
  onChange,
  choices,
}: InputProps & { choices: Choice[] }) {
  const { field } = useFieldNames();
  const items: Tagged[] = Array.isArray(value) ? value : [];
  const unlisted = items.filter((item) => !choices.some((known) => sameValue(known.value, item)));
  const selected = choices.flatMap((known, index) =>
    items.some((item) => sameValue(known.value, item)) ? [String(index)] : [],
  );
  return (
    <CheckboxGroup
      className={styles.checks}
      aria-labelledby={field['aria-labelledby']}
      aria-describedby={field['aria-describedby']}
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

/** True, false, or neither yet. */
export function BooleanInput({ value, onChange }: InputProps) {
  const { field } = useFieldNames();
  return (
    <ToggleButtonGroup
      className={styles.segments}
      aria-labelledby={field['aria-labelledby']}
      aria-describedby={field['aria-describedby']}
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
