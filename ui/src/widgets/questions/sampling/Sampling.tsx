import { useState } from 'react';
import { Button } from '@/components/Button';
import { JsonEditor } from '@/components/json-editor/JsonEditor';
import { Segmented } from '@/components/Segmented';
import { readJson } from '@/lib/json/read';
import { useAnswerDraft } from '@/state/calls/drafts';
import { AcceptButton } from '@/widgets/questions/AcceptButton';
import type { AnswerProps } from '@/widgets/questions/answer-props';
import { REFUSED } from '@/widgets/questions/params';
import styles from '@/widgets/questions/questions.module.css';
import { TEXT } from '@/widgets/questions/texts';
import { ReplyForm } from './ReplyForm';
import { emptyReply, isEmptyReply, readReply, replyText } from './reply';
import { SamplingRequest } from './SamplingRequest';
import { SAMPLING } from './texts';

type Form = 'form' | 'json';

const FORMS = [
  { value: 'form', label: SAMPLING.form },
  { value: 'json', label: SAMPLING.json },
] as const;

/** A request for a model's completion, which the user answers in the model's place. */
export function Sampling({ question, isSending, onAnswer }: AnswerProps) {
  const [text, setText] = useAnswerDraft(question.id, emptyReply);
  const [form, setForm] = useState<Form>('form');
  const reply = readReply(text);
  const isJson = 'value' in readJson(text);
  const shown = reply === null ? 'json' : form;
  const isWritten = reply === null || !isEmptyReply(reply);
  return (
    <>
      <div className={styles.body}>
        <SamplingRequest params={question.params} />
        <div className={styles.answerHead}>
          <h3>{SAMPLING.reply}</h3>
          <Segmented
            label={SAMPLING.view}
            segments={FORMS.map((segment) => ({
              ...segment,
              isDisabled: segment.value === 'form' && reply === null,
            }))}
            value={shown}
            onChange={setForm}
          />
        </div>
        <p className="remark">{TEXT.samplingRemark}</p>
        {shown === 'form' && reply ? (
          <ReplyForm
            reply={reply}
            params={question.params}
            onChange={(next) => setText(replyText(next))}
          />
        ) : (
          <JsonEditor label={TEXT.answer} value={text} onChange={setText} minimumLines={8} />
        )}
      </div>
      <footer className={styles.foot} data-confirms>
        {!isWritten && <span className={styles.note}>{SAMPLING.unwritten}</span>}
        <Button isDisabled={isSending} onPress={() => onAnswer(REFUSED)}>
          {TEXT.decline}
        </Button>
        <AcceptButton
          isDisabled={isSending || !isJson || !isWritten}
          isWritten={isWritten}
          onPress={() => onAnswer({ type: 'result', json: text })}
        />
      </footer>
    </>
  );
}
