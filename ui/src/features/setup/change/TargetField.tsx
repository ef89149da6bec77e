import type { Target } from '@/backend/bindings';
import { Select } from '@/components/Select';
import { useConfiguration } from '@/state/setup/configuration';
import { fileKey } from '../grid/file-rows';
import styles from './change.module.css';
import { placesOf } from './places';
import { TARGET } from './texts';

interface TargetFieldProps {
  label: string;
  value: Target | null;
  /** A file that is not offered. */
  except?: Target;
  autoFocus?: boolean;
  onChange: (target: Target) => void;
}

/** A file that can be written, by who reads it and where that counts. */
export function TargetField({ label, value, except, onChange, ...rest }: TargetFieldProps) {
  const view = useConfiguration((state) => state.view);
  const offered = placesOf(view, { value, except });
  const chosen = value && offered.find(({ key }) => key === fileKey(value));
  return (
    <Select
      label={label}
      className={styles.target}
      {...rest}
      placeholder={TARGET.choose}
      description={chosen?.file.note}
      choices={offered.map(({ key, label, file }) => ({
        value: key,
        label,
        detail: detailOf(file.state),
      }))}
      value={chosen?.key ?? null}
      onChange={(key) => {
        const found = offered.find((candidate) => candidate.key === key);
        if (found) onChange(found.target);
      }}
    />
  );
}

function detailOf(state: string): string | undefined {
  if (state === 'missing') return TARGET.created;
  if (state === 'broken' || state === 'unreadable') return TARGET.unreadable;
  return undefined;
}
