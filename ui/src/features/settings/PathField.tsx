import { useBackend } from '@/backend/backend';
import { Button } from '@/components/Button';
import { TextField } from '@/components/TextField';
import { showError } from '@/state/notices';
import styles from './settings.module.css';
import { SETTINGS } from './texts';

interface PathFieldProps {
  label: string;
  value: string;
  placeholder: string;
  onChange: (path: string) => void;
  /** Called with the path once the field is left, or a file is chosen. */
  onCommit?: (path: string) => void;
}

/** The path of a file, typed or chosen. */
export function PathField({ label, value, placeholder, onChange, onCommit }: PathFieldProps) {
  const backend = useBackend();
  const choose = async () => {
    const path = await backend.chooseFile();
    if (path === null) return;
    onChange(path);
    onCommit?.(path);
  };
  return (
    <div className={styles.path}>
      <TextField
        label={label}
        mono
        placeholder={placeholder}
        value={value}
        onChange={onChange}
        onBlur={() => onCommit?.(value)}
      />
      <Button aria-label={SETTINGS.chooseFor(label)} onPress={() => void choose().catch(showError)}>
        {SETTINGS.choose}
      </Button>
    </div>
  );
}
