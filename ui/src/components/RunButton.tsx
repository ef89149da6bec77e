import { Play, Square } from 'lucide-react';
import { Button } from './Button';

interface RunButtonProps {
  isRunning: boolean;
  isDisabled?: boolean;
  /** True where it is the main action of a view. */
  isPrimary?: boolean;
  /** Its words while nothing runs. */
  label: string;
  /** Starts it; absent where the form around the button does that. */
  onRun?: () => void;
  onStop: () => void;
}

/** Starts something that takes its time, and stops it meanwhile: one button, which keeps the focus. */
export function RunButton(props: RunButtonProps) {
  const { isRunning, isDisabled = false, isPrimary = false, label, onRun, onStop } = props;
  const Icon = isRunning ? Square : Play;
  return (
    <Button
      variant={isPrimary && !isRunning ? 'primary' : 'plain'}
      type={onRun || isRunning ? 'button' : 'submit'}
      isDisabled={isDisabled && !isRunning}
      onPress={isRunning ? onStop : onRun}
    >
      <Icon size={12} aria-hidden="true" />
      {isRunning ? 'Stop' : label}
    </Button>
  );
}
