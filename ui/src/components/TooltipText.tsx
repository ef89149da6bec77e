import type { ComponentProps, RefObject } from 'react';
import { Tooltip as AriaTooltip, TooltipTriggerStateContext } from 'react-aria-components';
import { Kbd } from './Kbd';
import styles from './tooltip.module.css';

interface TooltipTextProps {
  id: string | undefined;
  text: string;
  shortcut: string | undefined;
  triggerRef: RefObject<Element | null>;
  state: ComponentProps<typeof TooltipTriggerStateContext>['value'];
}

/** The words of a tooltip that is shown. */
export function TooltipText({ text, shortcut, state, ...rest }: TooltipTextProps) {
  return (
    <TooltipTriggerStateContext value={state}>
      <AriaTooltip {...rest} offset={6} className={styles.tooltip}>
        {text}
        {shortcut && <Kbd shortcut={shortcut} />}
      </AriaTooltip>
    </TooltipTriggerStateContext>
  );
}
