import { Plus, X } from 'lucide-react';
import { useId } from 'react';
import { Button, IconButton } from '@/components/Button';
import { TextField } from '@/components/TextField';
import styles from './rows-field.module.css';
import { ROWS } from './texts';

interface ListFieldProps {
  label: string;
  /** The name of one of them. */
  item: string;
  values: readonly string[];
  /** Returns the warning of a row. */
  warningOf?: (index: number) => string | undefined;
  onChange: (values: string[]) => void;
}

/** A list of texts, one below the other. */
export function ListField({ label, item, values, warningOf, onChange }: ListFieldProps) {
  const id = useId();
  return (
    <fieldset className={styles.rows} aria-labelledby={id}>
      <legend id={id}>{label}</legend>
      {values.map((value, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a row is its place
        <div key={index} className={styles.row}>
          <TextField
            label={`${item} ${index + 1}`}
            hideLabel
            mono
            description={warningOf?.(index)}
            value={value}
            onChange={(text) => onChange(values.with(index, text))}
          />
          <IconButton
            label={ROWS.remove(item, index + 1)}
            onPress={() => onChange(values.toSpliced(index, 1))}
          >
            <X size={13} aria-hidden="true" />
          </IconButton>
        </div>
      ))}
      <AddButton label={ROWS.add(item)} onPress={() => onChange([...values, ''])} />
    </fieldset>
  );
}

interface NamedText {
  name: string;
  text: string;
}

interface NamedRowsFieldProps {
  label: string;
  item: string;
  rows: readonly NamedText[];
  namePlaceholder?: string;
  valuePlaceholder?: string;
  /** Returns the error of a row. */
  errorOf?: (index: number) => string | undefined;
  /** Returns the warning of a row. */
  warningOf?: (index: number) => string | undefined;
  onChange: (rows: NamedText[]) => void;
}

/** Names and values, one pair below the other. */
export function NamedRowsField(props: NamedRowsFieldProps) {
  const { label, item, rows, errorOf, warningOf, onChange } = props;
  const id = useId();
  return (
    <fieldset className={styles.rows} aria-labelledby={id}>
      <legend id={id}>{label}</legend>
      {rows.map((row, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a row is its place
        <div key={index} className={styles.row}>
          <TextField
            className={styles.rowName}
            label={ROWS.nameOf(item, index + 1)}
            hideLabel
            mono
            placeholder={props.namePlaceholder ?? ROWS.name}
            value={row.name}
            onChange={(name) => onChange(rows.with(index, { ...row, name }))}
          />
          <TextField
            label={ROWS.valueOf(item, index + 1)}
            hideLabel
            mono
            placeholder={props.valuePlaceholder ?? ROWS.value}
            error={errorOf?.(index)}
            description={warningOf?.(index)}
            value={row.text}
            onChange={(text) => onChange(rows.with(index, { ...row, text }))}
          />
          <IconButton
            label={ROWS.remove(item, index + 1)}
            onPress={() => onChange(rows.toSpliced(index, 1))}
          >
            <X size={13} aria-hidden="true" />
          </IconButton>
        </div>
      ))}
      <AddButton
        label={ROWS.add(item)}
        onPress={() => onChange([...rows, { name: '', text: '' }])}
      />
    </fieldset>
  );
}

function AddButton({ label, onPress }: { label: string; onPress: () => void }) {
  return (
    <Button variant="quiet" className={styles.add} onPress={onPress}>
      <Plus size={13} aria-hidden="true" />
      {label}
    </Button>
  );
}
