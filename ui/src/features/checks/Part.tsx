import type { ReactNode } from 'react';
import type { ServerView } from '@/backend/bindings';
import { RunButton } from '@/components/RunButton';
import { Section } from '@/components/Section';
import { TextField } from '@/components/TextField';
import type { CheckPart } from '@/state/checks/checks';
import type { Judgement } from '@/state/checks/verdict';
import styles from './checks.module.css';
import { PART_TITLES, TESTING } from './texts';

/** The server and its judgement, from which each part is drawn. */
export interface PaneProps {
  server: ServerView;
  judgement: Judgement;
}

interface PartProps {
  part: CheckPart;
  judgement: Judgement;
  /** Buttons. */
  aside?: ReactNode;
  children?: ReactNode;
}

/** A part of the checks: how it went, and what that rests on. */
export function Part({ part, judgement, aside, children }: PartProps) {
  return (
    <Section title={PART_TITLES[part]} aside={aside}>
      {/* The number of findings stands above all parts. */}
      {(part !== 'findings' || judgement.count === 0) && (
        <p role="status" className="figures selectable">
          {judgement.words}
        </p>
      )}
      {children}
    </Section>
  );
}

/** The arguments with which a run calls its tool. */
export function ArgumentsField(props: { value: string; onChange(value: string): void }) {
  const { arguments: label, argumentsMeaning: description } = TESTING;
  return (
    <TextField label={label} description={description} className={styles.wide} mono {...props} />
  );
}

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
        <RunButton isRunning={isRunning} isDisabled={!isReady} label={start} onStop={onStop} />
      </span>
    </form>
  );
}
