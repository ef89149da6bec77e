import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { Dialog as AriaDialog, Heading, Modal, ModalOverlay } from 'react-aria-components';
import { IconButton } from './Button';
import { classes } from './classes';
import styles from './dialog.module.css';

interface DialogProps {
  /** Its heading and accessible name. */
  title: string;
  isOpen: boolean;
  /** Without it the dialog takes the width that its content needs. */
  width?: 'narrow' | 'wide';
  /** Buttons at its foot, the primary one last. */
  footer?: ReactNode;
  children: ReactNode;
  onClose: () => void;
}

/** A window over the window. Escape and a click beside it close it. */
export function Dialog({
  title,
  isOpen,
  width = 'narrow',
  footer,
  children,
  onClose,
}: DialogProps) {
  return (
    <ModalOverlay
      isOpen={isOpen}
      isDismissable
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      className={styles.backdrop}
    >
      <Modal data-modal className={classes(styles.modal, styles[width])}>
        <AriaDialog className={styles.dialog}>
          <header className={styles.header}>
            <Heading slot="title" level={2} className={styles.title}>
              {title}
            </Heading>
            <IconButton label="Close" onPress={onClose}>
              <X size={14} aria-hidden="true" />
            </IconButton>
          </header>
          <div className={styles.body}>{children}</div>
          {footer && <footer className={styles.footer}>{footer}</footer>}
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  );
}
