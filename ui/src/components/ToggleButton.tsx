import styles from './button.module.css';
import { classes } from './classes';
import { PlainButton, type PlainButtonProps } from './PlainButton';

interface ToggleButtonProps extends Omit<PlainButtonProps, 'onChange' | 'onPress'> {
  isSelected: boolean;
  onChange: (isSelected: boolean) => void;
}

/** A button that stays pressed, such as a chip above a table. */
export function ToggleButton({ isSelected, onChange, className, ...rest }: ToggleButtonProps) {
  return (
    <PlainButton
      {...rest}
      aria-pressed={isSelected}
      data-selected={isSelected || undefined}
      className={classes(styles.button, styles.toggle, className)}
      onPress={() => onChange(!isSelected)}
    />
  );
}
