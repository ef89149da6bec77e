import { Button } from '@/components/Button';
import { Kbd } from '@/components/Kbd';
import { TEXT } from './texts';

interface AcceptButtonProps {
  isDisabled: boolean;
  /** True once there is an answer that somebody wrote: the key accepts no other. */
  isWritten: boolean;
  onPress(): void;
}

/** The button that accepts an answer, which its key presses as well. */
export function AcceptButton({ isDisabled, isWritten, onPress }: AcceptButtonProps) {
  return (
    <span data-accepts={isWritten || undefined}>
      <Button variant="primary" isDisabled={isDisabled} onPress={onPress}>
        {TEXT.accept}
        <Kbd shortcut="mod+enter" />
      </Button>
    </span>
  );
}
