import { ComboBox, Input, Label, ListBox, ListBoxItem, Popover, Text } from 'react-aria-components';
import { classes } from './classes';
import fields from './fields.module.css';
import styles from './select.module.css';

interface ComboFieldProps {
  label: string;
  /** The texts that are offered, of which the first few that hold what is typed are shown. */
  choices: readonly string[];
  /** Returns what is drawn for a choice. */
  shown?: (choice: string) => string;
  mono?: boolean;
  value: string;
  onChange: (value: string) => void;
}

/** Choices that are shown at a time. */
const MAX_SHOWN = 50;

/** A text that is typed, or chosen among some. */
export function ComboField(props: ComboFieldProps) {
  const { label, choices, shown = (choice) => choice, mono, value, onChange } = props;
  const wanted = value.trim().toLowerCase();
  const matching = choices.filter((choice) => choice.toLowerCase().includes(wanted));
  // What is whole needs no offer.
  const isWhole = matching.length === 1 && matching[0] === value;
  const offered = isWhole ? [] : matching.slice(0, MAX_SHOWN);
  return (
    <ComboBox
      className={fields.field}
      allowsCustomValue
      menuTrigger="focus"
      inputValue={value}
      onInputChange={onChange}
      items={offered.map((text) => ({ id: text, text }))}
      defaultFilter={() => true}
    >
      <Label className="mb-2 medium">{label}</Label>
      <Input
        className={classes(fields.input, mono && 'mono')}
        spellCheck={false}
        autoComplete="off"
      />
      <Popover className={styles.popover} offset={4}>
        <ListBox<{ id: string; text: string }> className="pad-x-2 pad-y-2 no-outline">
          {({ id, text }) => (
            <ListBoxItem id={id} textValue={text} className={styles.item}>
              <span className="stack min-w-0">
                <Text slot="label" className={mono ? 'mono' : undefined}>
                  {shown(text)}
                </Text>
              </span>
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </ComboBox>
  );
}
