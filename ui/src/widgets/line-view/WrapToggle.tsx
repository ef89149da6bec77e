import { WrapText } from 'lucide-react';
import button from '@/components/button.module.css';
import { ToggleButton } from '@/components/ToggleButton';
import { Tooltip } from '@/components/Tooltip';
import { setLineWrap, useLineWrap } from '@/state/line-wrap';
import { WRAP } from './texts';

/** Wraps the long lines of payloads, or lets them run on. */
export function WrapToggle({ isText = false }: { isText?: boolean }) {
  const wraps = useLineWrap(isText);
  return (
    <Tooltip text={WRAP}>
      <ToggleButton
        aria-label={WRAP}
        isSelected={wraps}
        onChange={setLineWrap}
        className={button.icon}
      >
        <WrapText size={13} />
      </ToggleButton>
    </Tooltip>
  );
}
