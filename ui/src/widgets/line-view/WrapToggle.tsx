import { WrapText } from 'lucide-react';
import { ToggleButton, Tooltip, TooltipTrigger } from 'react-aria-components';
import button from '@/components/button.module.css';
import { classes } from '@/components/classes';
import tooltip from '@/components/tooltip.module.css';
import { setLineWrap, useLineWrap } from '@/state/line-wrap';
import { WRAP } from './texts';

/** Wraps the long lines of payloads, or lets them run on. */
export function WrapToggle({ isText = false }: { isText?: boolean }) {
  const wraps = useLineWrap(isText);
  return (
    <TooltipTrigger delay={500} closeDelay={0}>
      <ToggleButton
        aria-label={WRAP}
        isSelected={wraps}
        onChange={setLineWrap}
        className={classes(button.button, button.toggle, button.icon)}
      >
        <WrapText size={13} />
      </ToggleButton>
      <Tooltip offset={6} className={tooltip.tooltip}>
        {WRAP}
      </Tooltip>
    </TooltipTrigger>
  );
}
