import { X } from 'lucide-react';
import { type ReactNode, useContext, useEffect, useRef, useState } from 'react';
import { Dialog as AriaDialog, Heading, Modal, ModalOverlay } from 'react-aria-components';
import { Button, IconButton } from './Button';
import { classes } from './classes';
import styles from './dialog.module.css';
import { DialogNote } from './dialog-note';
import { pressPrimary, useKeyGuard } from './use-key-guard';

/** The one thing that a dialog does, beside closing. */
export interface DialogAction {
  /** The word on its button. */
  label: string;
  isDisabled?: boolean;
  isDangerous?: boolean;
  run: () => void;
}

interface DialogProps {
  /** Its heading and accessible name. */
  title: string;
  isOpen: boolean;
  /** Without it the dialog takes the width that its content needs. */
  width?: 'narrow' | 'wide' | 'full';
  /** The action of its primary button; the button before it closes the dialog. */
  action?: DialogAction | undefined;
  /** The word on the button that closes it. */
  closeLabel?: string;
  /** Gives the focus to the button that closes it, where it has no field. What is dangerous does. */
  isCareful?: boolean;
  /** Buttons between the two. */
  more?: ReactNode;
  /** Buttons in place of the one that closes it. Without an action, the last one is primary. */
  footer?: ReactNode;
  /** The reason why its button could not do what it says. */
  problem?: string | null;
  /** Asks before it closes without its button, once something was typed. */
  asksToDiscard?: boolean;
  /** True when its primary button does no more than close it, so that any key may press it. */
  isHarmless?: boolean;
  /** Number of times that what its button does became something else without the user's doing. */
  changes?: number;
  children: ReactNode;
  onClose: () => void;
}

/**
 * A window over the window. Its first field has the focus, else its primary button, or the one that
 * closes it where that is dangerous. Ctrl+Enter and Ctrl+S press its primary button, once it and what
 * it does have been there for half a second; Escape and a click beside it close it.
 */
export function Dialog({
  title,
  isOpen,
  width = 'narrow',
  action,
  closeLabel = 'Cancel',
  isCareful = action?.isDangerous ?? false,
  more,
  footer,
  problem = null,
  asksToDiscard = false,
  isHarmless = false,
  changes,
  children,
  onClose,
}: DialogProps) {
  const frame = useRef<HTMLDivElement>(null);
  const note = useContext(DialogNote);
  const guard = useKeyGuard(frame, { isShown: isOpen && !isHarmless, changes });
  const isTyped = useRef(false);
  const [isAsking, setAsking] = useState(false);
  const leave = () => {
    if (isAsking) setAsking(false);
    else if (asksToDiscard && isTyped.current) setAsking(true);
    else onClose();
  };
  const keep = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (isAsking) keep.current?.focus();
    else if (isTyped.current) frame.current?.querySelector<HTMLElement>(FIELDS)?.focus();
  }, [isAsking]);
  const confirm = useRef(() => {});
  confirm.current = () => {
    if (!isAsking && !guard.isOn()) pressPrimary(frame.current);
  };
  // Of the whole window: the focus comes into the dialog a moment after the dialog itself.
  useEffect(() => {
    if (!isOpen) return;
    const onKeyDown = (event: KeyboardEvent) => {
      const last = [...document.querySelectorAll('[data-modal]')].at(-1);
      if (!isConfirmation(event) || !last?.contains(frame.current)) return;
      event.preventDefault();
      event.stopPropagation();
      confirm.current();
    };
    window.addEventListener('keydown', onKeyDown, true);
    return () => window.removeEventListener('keydown', onKeyDown, true);
  }, [isOpen]);
  const noteTyping = () => {
    isTyped.current = true;
  };
  useEffect(() => {
    if (isOpen) return focusFirstField(() => frame.current, isCareful);
    isTyped.current = false;
    setAsking(false);
    return undefined;
  }, [isOpen, isCareful]);
  return (
    <ModalOverlay
      isOpen={isOpen}
      isDismissable
      onOpenChange={(open) => {
        if (!open) leave();
      }}
      className={styles.backdrop}
    >
      <Modal data-modal className={classes(styles.modal, styles[width])}>
        <AriaDialog className="stack fill min-w-0 no-outline">
          <div
            ref={frame}
            className="stack fill min-w-0"
            onBeforeInput={noteTyping}
            onPaste={noteTyping}
            onKeyDownCapture={guard.onKeyDownCapture}
          >
            <header className={styles.header}>
              <Heading slot="title" level={2} className="text-title">
                {title}
              </Heading>
              <IconButton label="Close" onPress={leave}>
                <X size={14} aria-hidden="true" />
              </IconButton>
            </header>
            <div className={styles.body}>{children}</div>
            {problem !== null && (
              <p role="alert" className={styles.problem}>
                {problem}
              </p>
            )}
            {note}
            {isAsking ? (
              <footer
                className={styles.footer}
                role="alertdialog"
                aria-label="Discard what you typed?"
              >
                <span className={styles.question}>Discard what you typed?</span>
                <Button ref={keep} onPress={() => setAsking(false)}>
                  Keep editing
                </Button>
                <Button variant="danger" onPress={onClose}>
                  Discard
                </Button>
              </footer>
            ) : (
              (footer || action) && (
                <footer className={styles.footer} data-confirms>
                  {footer || <Button onPress={onClose}>{closeLabel}</Button>}
                  {more}
                  {action && (
                    <Button
                      variant={action.isDangerous ? 'danger' : 'primary'}
                      isDisabled={action.isDisabled ?? false}
                      onPress={action.run}
                    >
                      {action.label}
                    </Button>
                  )}
                </footer>
              )
            )}
          </div>
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  );
}

function isConfirmation(event: KeyboardEvent): boolean {
  if (!(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey) return false;
  // A key that is still held down may have opened the dialog.
  if (event.repeat) return false;
  return event.key === 'Enter' || event.key.toLowerCase() === 's';
}

/** Milliseconds for which a field may still be loading. */
const FIELD_TIMEOUT = 1500;
/** Milliseconds for which what the primary button does may still be loading. */
const BUTTON_TIMEOUT = 20_000;
const FIELDS =
  'textarea, input:not([type="hidden"], [type="checkbox"], [type="radio"]), [contenteditable="true"]';

/**
 * Gives the focus to the first field, unless something in the dialog has it by then. Until there is
 * one, and in a dialog without fields, the primary button has it as soon as that can be pressed; in
 * one that is careful, the button before it. Returns how to stop waiting.
 */
function focusFirstField(frameOf: () => HTMLElement | null, isCareful: boolean): () => void {
  const opened = performance.now();
  let request = requestAnimationFrame(function look() {
    const frame = frameOf();
    const { activeElement } = document;
    // Where the dialog itself has the focus, or its frame, nobody has chosen a place yet.
    const isChosen =
      frame?.contains(activeElement) && activeElement?.closest('header, footer') === null;
    if (isChosen) return;
    const field = frame?.querySelector<HTMLElement>(FIELDS);
    const waited = performance.now() - opened;
    if (frame && field && waited < FIELD_TIMEOUT) {
      field.focus();
      return;
    }
    // A menu of the dialog lies beside it, and keeps the focus.
    if (frame && activeElement?.contains(frame)) {
      const buttons = frame.querySelectorAll<HTMLButtonElement>('[data-confirms] button');
      const button = [...buttons].at(isCareful ? -2 : -1);
      if (button?.disabled === false) button.focus();
    }
    const isDone = frame?.contains(document.activeElement) === true && waited >= FIELD_TIMEOUT;
    if (!isDone && waited < BUTTON_TIMEOUT) request = requestAnimationFrame(look);
  });
  return () => cancelAnimationFrame(request);
}
