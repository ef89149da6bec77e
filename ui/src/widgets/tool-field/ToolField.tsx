import { Select } from '@/components/Select';
import { TextField } from '@/components/TextField';
import { visibleText } from '@/lib/visible-text';
import { TOOL_FIELD } from './texts';

interface ToolFieldProps {
  label: string;
  names: readonly string[];
  /** Offers no tool as a choice. */
  isOptional?: boolean;
  value: string;
  onChange(name: string): void;
}

/** The name of a tool: chosen where the tools are known, else typed. */
export function ToolField({ label, names, isOptional, value, onChange }: ToolFieldProps) {
  if (names.length === 0) {
    return <TextField label={label} mono value={value} onChange={onChange} />;
  }
  const choices = names.map((name) => ({ value: name, label: visibleText(name) }));
  return (
    <Select
      label={label}
      choices={isOptional ? [{ value: '', label: TOOL_FIELD.none }, ...choices] : choices}
      value={isOptional || names.includes(value) ? value : null}
      placeholder={TOOL_FIELD.choose}
      onChange={onChange}
    />
  );
}
