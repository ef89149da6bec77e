import { Button } from '@/components/Button';
import { copyText } from '@/lib/clipboard';
import { visibleLines } from '@/lib/visible-text';
import { answerDraft } from '@/state/calls/drafts';
import { type EndedQuestion, useQuestions } from '@/state/calls/questions';
import { showError } from '@/state/notices';
import { paramsOf, textOf } from './params';
import styles from './questions.module.css';
import { readReply } from './sampling/reply';
import { ENDINGS, TEXT, TITLES } from './texts';

/** A question that ended before it was answered, and what was written of the answer. */
export function EndedPane({ ended: { question, how } }: { ended: EndedQuestion }) {
  const dismiss = useQuestions((state) => state.dismiss);
  const draft = writtenAnswer(answerDraft(question.id));
  const message = textOf(paramsOf(question).message);
  return (
    <div className="stack min-w-0 h-full">
      <header className={styles.head}>
        <h2>{TITLES[question.method] ?? question.method}</h2>
        <code className={styles.method}>{question.method}</code>
      </header>
      <div className={styles.body}>
        <p role="status" className="remark">
          <span aria-hidden="true">■ </span>
          {TEXT.over(ENDINGS[how])}
        </p>
        {message && <p className="pre-wrap selectable">{visibleLines(message)}</p>}
        {draft !== undefined && (
          <>
            <h3>{TEXT.written}</h3>
            <pre className="code-block pre-wrap">{draft}</pre>
          </>
        )}
      </div>
      <footer className={styles.foot}>
        {draft !== undefined && (
          <Button onPress={() => void copyText(draft).catch(showError)}>{TEXT.copy}</Button>
        )}
        <Button variant="primary" onPress={() => dismiss(question.id)}>
          {TEXT.dismiss}
        </Button>
      </footer>
    </div>
  );
}

/** The text of a reply to sampling that is nothing but text; any other answer as JSON. */
function writtenAnswer(draft: string | undefined): string | undefined {
  const blocks = draft === undefined ? undefined : readReply(draft)?.blocks;
  if (!blocks?.every((block) => block.type === 'text')) return draft;
  return blocks.map(({ text }) => text).join('\n');
}
