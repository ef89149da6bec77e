import { type KeyboardEvent, type ReactElement, Suspense, useId, useRef, useState } from 'react';
import { lazyComponent } from '@/lib/lazy-component';
import type { MenuOfButton, MenuPopupProps } from './MenuPopup';
import { TriggerContext } from './PlainButton';

export type { MenuEntry, MenuViews } from './MenuPopup';

/** Comes after the window. The button is there at once, and keeps that it was pressed. */
export const MenuPopup = lazyComponent(() => import('./MenuPopup'), 'MenuPopup');

interface MenuProps extends Pick<MenuPopupProps, 'label' | 'views' | 'groups'> {
  /** The button that opens it. */
  trigger: ReactElement;
}

/** A menu behind a button. */
export function Menu({ trigger, ...menu }: MenuProps) {
  /** The place of the focus in the menu; null while that is closed. */
  const [autoFocus, setOpen] = useState<MenuOfButton['autoFocus'] | null>(null);
  const button = useRef<HTMLButtonElement>(null);
  const [of, id] = [useId(), useId()];
  const around = {
    ref: button,
    id: of,
    'aria-haspopup': true,
    'aria-expanded': autoFocus !== null,
    'aria-controls': autoFocus === null ? undefined : id,
    // Of the keyboard, or of a screen reader, where no button of a pointer was pressed.
    onClick: ({ detail }: { detail: number }) => setOpen(detail === 0 ? 'first' : true),
    onKeyDown: (event: KeyboardEvent) => {
      if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
      event.preventDefault();
      event.stopPropagation();
      setOpen(event.key === 'ArrowUp' ? 'last' : 'first');
    },
  };
  return (
    <>
      <TriggerContext value={around}>{trigger}</TriggerContext>
      {autoFocus !== null && (
        <MenuList
          {...menu}
          ofButton={{ id, 'aria-labelledby': of, autoFocus }}
          triggerRef={button}
          onClose={() => setOpen(null)}
        />
      )}
    </>
  );
}

/** A menu that is open, beside what it belongs to. */
export function MenuList(props: MenuPopupProps) {
  return (
    <Suspense>
      <MenuPopup {...props} />
    </Suspense>
  );
}
