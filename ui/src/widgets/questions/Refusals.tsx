import { Button } from '@/components/Button';
import type { AnswerProps } from './answer-props';
import { elicitResult } from './params';
import { TEXT } from './texts';

/** The two ways not to answer a question (MCP specification, Elicitation: response actions). */
export function Refusals({ isSending, onAnswer }: Omit<AnswerProps, 'request'>) {
  return (
    <>
      <Button isDisabled={isSending} onPress={() => onAnswer(elicitResult('cancel'))}>
        {TEXT.cancel}
      </Button>
      <Button isDisabled={isSending} onPress={() => onAnswer(elicitResult('decline'))}>
        {TEXT.decline}
      </Button>
    </>
  );
}
