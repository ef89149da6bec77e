import type { LucideIcon } from 'lucide-react';
import type { ReactNode, Ref } from 'react';
import {
  Button as AriaButton,
  type ButtonProps as AriaButtonProps,
  ToggleButton as AriaToggleButton,
  type ToggleButtonProps as AriaToggleButtonProps,
} from 'react-aria-components';
import styles from './button.module.css';
import { classes } from './classes';
import { Tooltip } from './Tooltip';

interface ButtonProps extends Omit<AriaButtonProps, 'className' | 'style' | 'children'> {
  /** `primary`: the one main action of a view. `quiet`: no border, in bars and rows. */
  variant?: 'plain' | 'primary' | 'quiet' | 'danger';
  className?: string;
  children: ReactNode;
  ref?: Ref<HTMLButtonElement>;
}

/** A button with a text. */
export function Button({ variant = 'plain', className, ...rest }: ButtonProps) {
  return <AriaButton {...rest} className={classes(styles.button, styles[variant], className)} />;
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
      <AriaButton
        {...rest}
        aria-label={label}
        className={classes(styles.button, styles[variant], styles.icon, className)}
      >
        {children}
      </AriaButton>
    </Tooltip>
  );
}

interface ToggleButtonProps
  extends Omit<AriaToggleButtonProps, 'className' | 'style' | 'children'> {
  className?: string;
  children: ReactNode;
}

/** A button that stays pressed, such as a chip above a table. */
export function ToggleButton({ className, ...rest }: ToggleButtonProps) {
  return (
    <AriaToggleButton {...rest} className={classes(styles.button, styles.toggle, className)} />
  );
}
