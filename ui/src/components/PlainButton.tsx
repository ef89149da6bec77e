import {
  type ComponentProps,
  createContext,
  type KeyboardEvent,
  type RefObject,
  type SyntheticEvent,
  useContext,
  useRef,
} from 'react';

type ButtonElement = ComponentProps<'button'>;

type Handled = 'onClick' | 'onKeyDown' | 'onKeyUp' | 'onMouseDown' | 'onPointerDown' | 'onBlur';

export interface PlainButtonProps extends Omit<ButtonElement, Handled | 'disabled'> {
  isDisabled?: boolean;
  onPress?: (() => void) | undefined;
}

interface TriggerProps extends Omit<ButtonElement, 'ref'> {
  ref?: RefObject<HTMLButtonElement | null>;
}

/** Properties that a button has from what it belongs to: its tooltip, its menu. */
export const TriggerContext = createContext<TriggerProps>({});

/**
 * A button without a look. What presses it is told to nothing around it, such as a row; a key presses
 * it once, when it is released.
 */
export function PlainButton({ isDisabled, onPress, ref, ...rest }: PlainButtonProps) {
  const { ref: trigger, ...around } = useContext(TriggerContext);
  /** The key that is held down on it. */
  const held = useRef('');
  const setBoth = (element: HTMLButtonElement | null) => {
    if (trigger) trigger.current = element;
    if (typeof ref === 'function') ref(element);
    else if (ref) ref.current = element;
  };
  return (
    <button
      type="button"
      {...around}
      {...rest}
      ref={trigger && ref ? setBoth : (trigger ?? ref)}
      disabled={isDisabled}
      onMouseDown={stop}
      onPointerDown={(event) => {
        stop(event);
        around.onPointerDown?.(event);
      }}
      onClick={(event) => {
        stop(event);
        // Of a pointer: WebKit on macOS does not do it.
        if (event.detail > 0) event.currentTarget.focus({ preventScroll: true });
        around.onClick?.(event);
        onPress?.();
      }}
      onKeyDown={(event) => {
        around.onKeyDown?.(event);
        if (takesKey(event) && !event.repeat) held.current = event.key;
      }}
      onKeyUp={(event) => {
        const isPressed = takesKey(event) && held.current === event.key;
        held.current = '';
        if (isPressed) event.currentTarget.click();
      }}
      onBlur={(event) => {
        held.current = '';
        around.onBlur?.(event);
      }}
    />
  );
}

const stop = (event: SyntheticEvent) => event.stopPropagation();

function takesKey(event: KeyboardEvent): boolean {
  if (event.key !== 'Enter' && event.key !== ' ') return false;
  event.preventDefault();
  stop(event);
  return true;
}
