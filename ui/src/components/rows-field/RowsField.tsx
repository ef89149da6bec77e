import { Plus, X } from 'lucide-react';
import { type ReactNode, useId } from 'react';
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
  return (
    <Rows
      label={label}
      item={item}
      count={values.length}
      onAdd={() => onChange([...values, ''])}
      onRemove={(index) => onChange(values.toSpliced(index, 1))}
    >
      {(index) => (
        <TextField
          label={`${item} ${index + 1}`}
          hideLabel
          mono
          description={warningOf?.(index)}
          value={values[index] ?? ''}
          onChange={(text) => onChange(values.with(index, text))}
        />
      )}
    </Rows>
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
  return (
    <Rows
      label={label}
      item={item}
      count={rows.length}
      onAdd={() => onChange([...rows, { name: '', text: '' }])}
      onRemove={(index) => onChange(rows.toSpliced(index, 1))}
    >
      {(index) => {
        const row = rows[index] ?? { name: '', text: '' };
        return (
          <>
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
          </>
        );
      }}
    </Rows>
  );
}

interface RowsProps {
  label: string;
  item: string;
  count: number;
  onAdd: () => void;
  onRemove: (index: number) => void;
  children: (index: number) => ReactNode;
}

/** Rows that can be added and removed. */
function Rows({ label, item, count, onAdd, onRemove, children }: RowsProps) {
  const id = useId();
  return (
    <fieldset className={styles.rows} aria-labelledby={id}>
      <legend id={id}>{label}</legend>
      {Array.from({ length: count }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a row is its place
        <div key={index} className={styles.row}>
          {children(index)}
          <IconButton label={ROWS.remove(item, index + 1)} onPress={() => onRemove(index)}>
            <X size={13} aria-hidden="true" />
          </IconButton>
        </div>
      ))}
      <Button variant="quiet" className={styles.add} onPress={onAdd}>
        <Plus size={13} aria-hidden="true" />
        {ROWS.add(item)}
      </Button>
    </fieldset>
  );
}
