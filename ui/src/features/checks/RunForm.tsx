import type { ReactNode } from 'react';
import { RunButton } from '@/components/RunButton';
import styles from './checks.module.css';

interface RunFormProps {
  isRunning: boolean;
  isReady?: boolean;
  /** The word on the button that starts the run. */
  start: string;
  /** Fields of the run. */
  children: ReactNode;
  onStart(): void;
  onStop(): void;
}

/** The fields of a run, with one button that starts it, or stops it while it runs. */
export function RunForm({
  isRunning,
  isReady = true,
  start,
  children,
  onStart,
  onStop,
}: RunFormProps) {
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        if (isReady && !isRunning) onStart();
      }}
    >
      {children}
      <span className={styles.buttons}>
        <RunButton
          isPrimary
          isRunning={isRunning}
          isDisabled={!isReady}
          label={start}
          onStop={onStop}
        />
      </span>
    </form>
  );
}
