import { Button } from '@/components/Button';
import { JsonEditor } from '@/components/json-editor/JsonEditor';
import { isJson } from '@/lib/json/read';
import { useAnswerDraft } from '@/state/calls/drafts';
import { AcceptButton } from './AnswerButtons';
import type { AnswerProps } from './params';
import { REFUSED } from './params';
import styles from './questions.module.css';
import { TEXT } from './texts';

interface JsonAnswerProps extends AnswerProps {
  /** The answer to begin with. */
  start: string;
}

/** An answer written as JSON. */
export function JsonAnswer({ question, isSending, onAnswer, start }: JsonAnswerProps) {
  const [text, setText] = useAnswerDraft(question.id, () => start);
  const isReadable = isJson(text);
  const isWritten = text !== start;
  return (
    <>
      <div className={styles.body}>
        {question.params !== '' && question.params !== '{}' && (
          <pre className="code-block pre-wrap">{question.params}</pre>
        )}
        <h3>{TEXT.answer}</h3>
        <JsonEditor label={TEXT.answer} value={text} onChange={setText} minimumLines={8} />
      </div>
      <footer className={styles.foot} data-confirms>
        {!isWritten && <span className={styles.note}>{TEXT.unchanged}</span>}
        <Button isDisabled={isSending} onPress={() => onAnswer(REFUSED)}>
          {TEXT.decline}
        </Button>
        <AcceptButton
          isDisabled={isSending || !isReadable}
          isWritten={isWritten}
          onPress={() => onAnswer({ type: 'result', json: text })}
        />
      </footer>
    </>
  );
}
