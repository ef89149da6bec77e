import { Play, Square } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from '@/components/Button';
import styles from './testing.module.css';
import { TESTING } from './texts';

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
        {isRunning ? (
          <Button onPress={onStop}>
            <Square size={11} aria-hidden="true" />
            {TESTING.stop}
          </Button>
        ) : (
          <Button variant="primary" type="submit" isDisabled={!isReady}>
            <Play size={12} aria-hidden="true" />
            {start}
          </Button>
        )}
      </span>
    </form>
  );
}
