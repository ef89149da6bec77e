import { Fragment } from 'react';
import { visibleText } from '@/lib/visible-text';
import styles from './command-line.module.css';

export interface CommandLineProps {
  readonly text: string;
  readonly className?: string | undefined;
}

/**
 * What is started or asked, as a person would type it. Lines end between its words: one that
 * ended after a hyphen would leave "--" without its name.
 */
export function CommandLine({ text, className }: CommandLineProps) {
  // Spaces stay as they are, also where several stand together within quotes.
  const words = visibleText(text).split(/(\s+)/);
  return (
    <code className={className}>
      {words.map((word, index) =>
        index % 2 === 1 ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: words stand where they stand
          <Fragment key={index}>{word}</Fragment>
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: as above
          <span key={index} className={styles.word}>
            {word}
          </span>
        ),
      )}
    </code>
  );
}
