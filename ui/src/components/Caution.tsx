import type { ReactNode } from 'react';

interface CautionProps {
  role?: 'alert' | 'note';
  className?: string | undefined;
  children: ReactNode;
}

/** A paragraph that warns: its sign is seen, and not read out. */
export function Caution({ role, className = 'warn', children }: CautionProps) {
  return (
    <p role={role} className={className}>
      <span className="warn" aria-hidden="true">
        ▲{' '}
      </span>
      {children}
    </p>
  );
}
