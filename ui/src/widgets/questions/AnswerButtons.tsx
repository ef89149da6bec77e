import { Button } from '@/components/Button';
import { Kbd } from '@/components/Kbd';
import { Tooltip } from '@/components/Tooltip';
import type { AnswerProps } from './params';
import { elicitResult } from './params';
import styles from './questions.module.css';
import { TEXT } from './texts';

/** The two ways not to answer a question (MCP specification, Elicitation: response actions). */
export function Refusals({ isSending, onAnswer }: Omit<AnswerProps, 'question'>) {
  return (
    <>
      <Tooltip text={TEXT.cancelMeaning}>
        <Button isDisabled={isSending} onPress={() => onAnswer(elicitResult('cancel'))}>
          {TEXT.cancel}
        </Button>
      </Tooltip>
      <Tooltip text={TEXT.declineMeaning}>
        <Button isDisabled={isSending} onPress={() => onAnswer(elicitResult('decline'))}>
          {TEXT.decline}
        </Button>
      </Tooltip>
    </>
  );
}

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
        {/* Without its key it keeps its width, so that no button moves under a pointer. */}
        <span className={isWritten ? undefined : styles.dead} aria-hidden={!isWritten || undefined}>
          <Kbd shortcut="mod+enter" />
        </span>
      </Button>
    </span>
  );
}
