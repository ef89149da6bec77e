import { Button } from '@/components/Button';
import { Tooltip } from '@/components/Tooltip';
import type { AnswerProps } from './answer-props';
import { elicitResult } from './params';
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
