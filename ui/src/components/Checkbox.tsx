import { Check } from 'lucide-react';
import type { ReactNode } from 'react';
import { Checkbox as AriaCheckbox } from 'react-aria-components';
import styles from './checkbox.module.css';

interface CheckboxProps {
  isSelected: boolean;
  isDisabled?: boolean;
  children: ReactNode;
  onChange: (isSelected: boolean) => void;
}

/** A choice that is taken or left, and counts once it is sent. */
export function Checkbox({ children, ...rest }: CheckboxProps) {
  return (
    <AriaCheckbox {...rest} className={styles.checkbox}>
      <span className={styles.box} aria-hidden="true">
        <Check size={11} />
      </span>
      {children}
    </AriaCheckbox>
  );
}
