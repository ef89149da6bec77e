import { ChevronDown } from 'lucide-react';
import { Button } from '@/components/Button';
import { Menu, type MenuEntry } from '@/components/Menu';
import type { ExactValue } from '@/lib/json/exact';
import styles from './json-view.module.css';

/** A menu at a value. */
export interface JsonAction {
  label: string;
  entries(path: readonly (string | number)[], value: ExactValue): readonly MenuEntry[];
}

interface ValueMenuProps {
  /** Absent where a value can only be copied. */
  action: JsonAction | undefined;
  path: readonly (string | number)[];
  value: ExactValue;
  copies?: readonly MenuEntry[];
}

/** The button at a value with what can be done with it. */
export function ValueMenu({ action, path, value, copies = [] }: ValueMenuProps) {
  const label = action?.label ?? 'Copy';
  return (
    <Menu
      label={label}
      trigger={
        <Button variant="quiet" className={styles.menu} data-menu={action && ''}>
          {label} <ChevronDown size={12} />
        </Button>
      }
      groups={[action?.entries(path, value) ?? [], copies].filter(({ length }) => length > 0)}
    />
  );
}
