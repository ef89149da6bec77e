import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useBackend } from '@/backend/backend';
import type { ServerAnswer, ServerQuestion } from '@/backend/bindings';
import { Button } from '@/components/Button';
import { pressPrimary, useKeyGuard } from '@/components/use-key-guard';
import { copyText } from '@/lib/clipboard';
import { lastInput } from '@/lib/last-input';
import { visibleLines, visibleText } from '@/lib/visible-text';
import { useAction } from '@/state/actions';
import { answerDraft, useWrittenAnswer } from '@/state/calls/drafts';
import {
  type EndedQuestion,
  firstShown,
  noteGoneWithFocus,
  useQuestions,
} from '@/state/calls/questions';
import { placeOfCall } from '@/state/calls/runs';
import { useDialogs } from '@/state/dialogs';
import { openPlace } from '@/state/navigation';
import { showError } from '@/state/notices';
import { FormElicitation } from './FormElicitation';
import { JsonAnswer } from './JsonAnswer';
import { type AnswerProps, paramsOf, textOf } from './params';
import styles from './questions.module.css';
import { isAboutPage, repeatable } from './repeatable';
import { readReply } from './sampling/reply';
import { Sampling } from './sampling/Sampling';
import { ENDINGS, TEXT, TITLES } from './texts';
import { timeLeft } from './time-left';
import { UrlElicitation } from './UrlElicitation';

interface QuestionPaneProps {
  question: ServerQuestion;
  /**
   * Milliseconds since the Unix epoch at which the user began the call that it came from. Where
   * nothing was pressed since, the question takes the focus.
   */
  began?: number;
  /** Takes the focus over when the question goes with it. */
  heir?: RefObject<HTMLElement | null>;
}

/** One question of a server, and the form of its answer. */
export default function QuestionPane({ question, began, heir }: QuestionPaneProps) {
  const backend = useBackend();
  const frame = useRef<HTMLDivElement>(null);
  const [sending, setSending] = useState(false);
  const { show, hide, takeFocus } = useQuestions.getState();
  const isWanted = useQuestions((state) => state.wanted === question.id);
  useEffect(() => {
    show(question.id);
    return () => hide(question.id);
  }, [show, hide, question.id]);
  const guard = useKeyGuard(frame, { since: firstShown(question.id) });
  useAction(
    'question.accept',
    () => !guard.isOn() && pressPrimary(frame.current, '[data-accepts]'),
    { within: frame },
  );
  // Before it is taken out: without a focus, the next key would be for the main pane.
  useLayoutEffect(() => {
    const element = frame.current;
    return () => {
      if (!element?.contains(document.activeElement)) return;
      noteGoneWithFocus();
      heir?.current?.focus({ preventScroll: true });
    };
  }, [heir]);
  useEffect(() => {
    if (began !== undefined && lastInput() <= began) focusFirst(frame.current);
  }, [began]);
  useEffect(() => {
    if (!isWanted) return;
    takeFocus(question.id);
    focusFirst(frame.current);
  }, [isWanted, takeFocus, question.id]);
  const answer = async (answer: ServerAnswer) => {
    setSending(true);
    // Told before: the call may have ended by then.
    const { server } = question;
    const place = placeOfCall(server, question.call);
    try {
      await backend.answerQuestion(question.id, answer);
      // At its call, what comes of it is in view already.
      if (heir !== undefined) return;
      openPlace({ ...(place ?? { server }), focus: place ? 'result' : 'main' });
    } catch (reason) {
      setSending(false);
      showError(reason);
    }
  };
  const isPage = isAboutPage(question);
  const written = repeatable(question, useWrittenAnswer(question.id));
  const makeRule = async () => {
    try {
      const addition = await backend.createRuleFromQuestion(question.id, written ?? null);
      // What was typed answers this question as well; a page is not opened by a rule.
      const then = () => pressPrimary(frame.current, '[data-accepts]');
      const dialog = { kind: 'answer-rules', addition } as const;
      useDialogs.getState().showWhenFree(isPage ? dialog : { ...dialog, then });
    } catch (reason) {
      showError(reason);
    }
  };
  const title = TITLES[question.method] ?? question.method;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset does not scroll as a pane does.
    <div
      ref={frame}
      role="group"
      className="stack min-w-0 h-full"
      aria-label={title}
      data-question
      onKeyDownCapture={guard.onKeyDownCapture}
    >
      <header className={styles.head}>
        <h2>{title}</h2>
        <code className={styles.method}>{question.method}</code>
        {(isPage || written !== undefined) && (
          <Button variant="quiet" className={styles.headAction} onPress={() => void makeRule()}>
            {isPage ? TEXT.makeRule : TEXT.alwaysAnswer}
          </Button>
        )}
      </header>
      <Circumstances question={question} isAtCall={heir !== undefined} />
      <Content question={question} isSending={sending} onAnswer={answer} />
    </div>
  );
}

interface CircumstancesProps {
  question: ServerQuestion;
  /** True where it stands at its call, which tells its time itself. */
  isAtCall: boolean;
}

/** The time that the call has left, and why a rule left the question to the user. */
function Circumstances({ question, isAtCall }: CircumstancesProps) {
  const { remark } = question;
  const left = isAtCall ? null : question.timeLeft;
  if (left === null && remark === null) return null;
  return (
    <div className={styles.circumstances}>
      {left !== null && <p>{timeLeft(left)}</p>}
      {remark !== null && <p className="warn">▲ {visibleText(remark)}</p>}
    </div>
  );
}

/**
 * Focuses the first field of a form, or its first button where it has none. In a low window the
 * question stays above it: a browser would put the field into the middle.
 */
function focusFirst(frame: HTMLElement | null): void {
  const fields = 'input:not([type="hidden"]), textarea, select, .cm-content';
  const first = frame?.querySelector<HTMLElement>(fields) ?? frame?.querySelector('button');
  first?.focus({ preventScroll: true });
  frame?.scrollIntoView({ block: 'nearest' });
  first?.scrollIntoView({ block: 'nearest' });
}

function Content(props: AnswerProps) {
  const { method } = props.question;
  switch (method) {
    case 'elicitation/create':
      return isAboutPage(props.question) ? (
        <UrlElicitation {...props} />
      ) : (
        <FormElicitation {...props} />
      );
    case 'sampling/createMessage':
      return <Sampling {...props} />;
    default:
      return <JsonAnswer {...props} start="{}" />;
  }
}

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
