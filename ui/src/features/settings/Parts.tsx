import { type ReactNode, useState } from 'react';
import { TextField } from '@/components/TextField';
import styles from './settings.module.css';
import { SETTINGS } from './texts';

interface GroupProps {
  title: string;
  level?: 2 | 3;
  children: ReactNode;
}

/** Settings that belong together. */
export function Group({ title, level = 3, children }: GroupProps) {
  const Heading = `h${level}` as const;
  return (
    <section className="stack gap-4">
      <Heading>{title}</Heading>
      {children}
    </section>
  );
}

/** A setting behind its name. */
export function Line({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className={styles.line}>
      <span>{title}</span>
      {children}
    </div>
  );
}

interface NumberFieldProps {
  label: string;
  annotation?: string;
  value: number | null;
  /** Counts while the field is empty; without it, the field needs a number. */
  placeholder?: string;
  /** Waits until the field is left, or Enter. */
  isLate?: boolean;
  /** Called with each number that can be used, and null once the field is empty. */
  onChange: (value: number | null) => void;
}

/** A whole number from 1 up, or none. */
export function NumberField({ isLate = false, ...props }: NumberFieldProps) {
  const { value, placeholder, onChange, ...rest } = props;
  const [text, setText] = useState(value === null ? '' : String(value));
  const isValid = (typed: string) =>
    typed === '' ? placeholder !== undefined : /^[1-9]\d{0,8}$/.test(typed);
  const commit = (typed: string) => {
    const next = typed === '' ? null : Number(typed);
    if (isValid(typed) && next !== value) onChange(next);
  };
  return (
    <TextField
      {...rest}
      inputMode="numeric"
      placeholder={placeholder}
      value={text}
      error={isValid(text) ? undefined : SETTINGS.wholeNumber}
      onChange={(typed) => {
        setText(typed);
        if (!isLate) commit(typed);
      }}
      onBlur={() => commit(text)}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && isLate) commit(text);
        else event.continuePropagation();
      }}
    />
  );
}
