import { type ReactNode, Suspense, useContext, useEffect, useId, useRef, useState } from 'react';
import { wasPointer } from '@/lib/last-input';
import { lazyComponent } from '@/lib/lazy-component';
import { TriggerContext } from './PlainButton';

/** Comes after the window, as what places it does. */
export const TooltipText = lazyComponent(() => import('./TooltipText'), 'TooltipText');

/** Milliseconds for which the pointer rests before the words come; after others, they come at once. */
const DELAY = 500;

/** Closes the words that are shown, of which there are one at a time. */
let closeShown = () => {};
/** Time at which words were shown last. */
let lastShown = Number.NEGATIVE_INFINITY;

interface TooltipProps {
  text: string;
  shortcut?: string;
  /** One button. */
  children: ReactNode;
}

/** Words that appear beside what is pointed at or focused. */
export function Tooltip({ text, shortcut, children }: TooltipProps) {
  const around = useContext(TriggerContext);
  const own = useRef<HTMLButtonElement>(null);
  const trigger = around.ref ?? own;
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const close = () => {
    clearTimeout(timer.current);
    setOpen(false);
  };
  const show = () => {
    closeShown();
    closeShown = () => setOpen(false);
    setOpen(true);
  };
  const open = (isAtOnce = false) => {
    clearTimeout(timer.current);
    if (isAtOnce || performance.now() < lastShown + DELAY) show();
    else timer.current = setTimeout(show, DELAY);
  };
  useEffect(() => {
    if (!isOpen) return;
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return;
      event.stopPropagation();
      setOpen(false);
    };
    document.addEventListener('keydown', onKeyDown, true);
    return () => {
      lastShown = performance.now();
      document.removeEventListener('keydown', onKeyDown, true);
    };
  }, [isOpen]);
  const state = { isOpen, open, close, shouldSkipAnimation: false };
  return (
    <>
      <TriggerContext
        value={{
          ...around,
          ref: trigger,
          'aria-describedby': isOpen ? id : undefined,
          onPointerEnter: ({ pointerType }) => {
            // What comes to lie below a pointer at rest was not pointed at.
            if (pointerType !== 'touch' && wasPointer()) open();
          },
          onPointerLeave: close,
          onFocus: () => {
            if (!wasPointer()) open(true);
          },
          onBlur: close,
          onPointerDown: close,
          onKeyDown: (event) => {
            close();
            around.onKeyDown?.(event);
          },
        }}
      >
        {children}
      </TriggerContext>
      {isOpen && (
        <Suspense>
          <TooltipText {...{ text, shortcut, state, id }} triggerRef={trigger} />
        </Suspense>
      )}
    </>
  );
}
