import { type ReactElement, type ReactNode, useRef, useState } from 'react';
import { Dialog, Popover, type PopoverProps } from 'react-aria-components';
import { TriggerContext } from './PlainButton';

interface PopupProps extends Pick<PopoverProps, 'placement'> {
  label: string;
  /** The button that opens it. */
  trigger: ReactElement;
  classNames: { popover: string | undefined; dialog: string | undefined };
  children: ReactNode;
}

/** A small dialog behind a button, beside it. */
export function Popup({ label, trigger, placement, classNames, children }: PopupProps) {
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const around = { ref: button, 'aria-expanded': isOpen, onClick: () => setOpen(true) };
  return (
    <>
      <TriggerContext value={around}>{trigger}</TriggerContext>
      <Popover
        trigger="DialogTrigger"
        triggerRef={button}
        isOpen={isOpen}
        onOpenChange={setOpen}
        placement={placement}
        offset={6}
        className={classNames.popover}
      >
        <Dialog aria-label={label} className={classNames.dialog}>
          {children}
        </Dialog>
      </Popover>
    </>
  );
}
