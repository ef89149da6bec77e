import type { ExchangeKind } from '@/backend/bindings';
import { ToggleButton } from '@/components/Button';
import styles from '../drawer/traffic-bar.module.css';
import { BAR } from '../texts';
import { KINDS, toggleKind } from './kinds';

interface KindChipsProps {
  /** The selected kinds; none is the same as all. */
  readonly kinds: readonly ExchangeKind[];
  readonly onChange: (kinds: readonly ExchangeKind[]) => void;
}

/** One chip for each kind of row. */
export function KindChips({ kinds, onChange }: KindChipsProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is drawn as a box of its own
    <div role="group" aria-label={BAR.kinds} className={styles.chips}>
      {KINDS.map(({ kind, title }) => (
        <ToggleButton
          key={kind}
          isSelected={kinds.includes(kind)}
          onChange={() => onChange(toggleKind(kinds, kind))}
        >
          {title}
        </ToggleButton>
      ))}
    </div>
  );
}
