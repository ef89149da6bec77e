import { Fragment } from 'react';
import { visibleText } from '@/lib/visible-text';
import styles from './command-line.module.css';

interface CommandLineProps {
  readonly text: string;
  readonly className?: string | undefined;
}

/**
 * A command line or an address, as the user would type it. Lines end between its arguments: one
 * that ended after a hyphen would leave "--" without its name.
 */
export function CommandLine({ text, className }: CommandLineProps) {
  // Spaces stay as they are, also where several stand together within quotes.
  const parts = visibleText(text).split(/(\s+)/);
  return (
    <code className={className}>
      {parts.map((part, index) =>
        index % 2 === 1 ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: the parts never move
          <Fragment key={index}>{part}</Fragment>
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: as above
          <span key={index} className={styles.word}>
            {part}
          </span>
        ),
      )}
    </code>
  );
}
