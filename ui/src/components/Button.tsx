import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import styles from './button.module.css';
import { classes } from './classes';
import { PlainButton, type PlainButtonProps } from './PlainButton';
import { Tooltip } from './Tooltip';

interface ButtonProps extends PlainButtonProps {
  /** `primary`: the one main action of a view. `quiet`: no border, in bars and rows. */
  variant?: 'plain' | 'primary' | 'quiet' | 'danger';
}

/** A button with a text. */
export function Button({ variant = 'plain', className, ...rest }: ButtonProps) {
  return <PlainButton {...rest} className={classes(styles.button, styles[variant], className)} />;
}

interface IconButtonProps extends Omit<ButtonProps, 'aria-label' | 'children'> {
  icon?: LucideIcon;
  /** Its accessible name, also shown as a tooltip. */
  label: string;
  /** The addition of the tooltip to the name, for instance a shortcut. */
  shortcut?: string;
  /** The picture, where it is no `icon`. */
  children?: ReactNode;
}

/** A button with a picture only. */
export function IconButton({
  icon: Icon,
  label,
  shortcut,
  variant = 'quiet',
  className,
  children = Icon && <Icon size={14} />,
  ...rest
}: IconButtonProps) {
  return (
    <Tooltip text={label} shortcut={shortcut}>
      <Button
        {...rest}
        aria-label={label}
        variant={variant}
        className={classes(styles.icon, className)}
      >
        {children}
      </Button>
    </Tooltip>
  );
}
