import { useState } from 'react';
import { TextField } from '@/components/TextField';
import { SETTINGS } from './texts';

interface SecondsFieldProps {
  label: string;
  value: number | null;
  /** The limit that counts while the field is empty. */
  placeholder: string;
  /** Called with each number that can be used, and null once the field is empty. */
  onChange: (seconds: number | null) => void;
}

/** A number of seconds from 1 up, or none. */
export function SecondsField({ label, value, placeholder, onChange }: SecondsFieldProps) {
  const [text, setText] = useState(value === null ? '' : String(value));
  const isValid = text === '' || /^[1-9]\d{0,6}$/.test(text);
  const change = (next: string) => {
    setText(next);
    if (next === '') onChange(null);
    else if (/^[1-9]\d{0,6}$/.test(next)) onChange(Number(next));
  };
  return (
    <TextField
      label={label}
      annotation={SETTINGS.seconds}
      inputMode="numeric"
      placeholder={placeholder}
      value={text}
      error={isValid ? undefined : SETTINGS.wholeNumber}
      onChange={change}
    />
  );
}
