import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import styles from './schema-form.module.css';

interface SmallButtonProps {
  /** The accessible name, where the text says too little. */
  label?: string;
  className?: string | undefined;
  title?: string;
  children: ReactNode;
  onClick: () => void;
}

/** A button as small as the fields beside it. */
export function SmallButton({ label, className = styles.add, ...rest }: SmallButtonProps) {
  return <button type="button" className={className} aria-label={label} {...rest} />;
}

interface IconButtonProps {
  Icon: LucideIcon;
  label: string;
  title?: string;
  onClick: () => void;
}

export function IconButton({ Icon, ...rest }: IconButtonProps) {
  return (
    <SmallButton className={styles.icon} {...rest}>
      <Icon size={12} aria-hidden />
    </SmallButton>
  );
}
