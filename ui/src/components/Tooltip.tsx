import type { ReactNode } from 'react';
import { Tooltip as AriaTooltip, TooltipTrigger } from 'react-aria-components';
import { Kbd } from './Kbd';
import styles from './tooltip.module.css';

interface TooltipProps {
  text: string;
  shortcut?: string;
  /** One focusable element, such as a button. */
  children: ReactNode;
}

/** Words that appear beside what is pointed at or focused. */
export function Tooltip({ text, shortcut, children }: TooltipProps) {
  return (
    <TooltipTrigger delay={500} closeDelay={0}>
      {children}
      <AriaTooltip offset={6} className={styles.tooltip}>
        {text}
        {shortcut && <Kbd shortcut={shortcut} />}
      </AriaTooltip>
    </TooltipTrigger>
  );
}
