import { useEffect, useState } from 'react';
import { Banner } from '@/components/Banner';
import { Button } from '@/components/Button';
import { Kbd } from '@/components/Kbd';
import { visibleText } from '@/lib/visible-text';
import { useAction } from '@/state/actions';
import { goToQuestion, useQuestions } from '@/state/calls/questions';
import { useServer, useServers } from '@/state/servers/servers';
import { subjectOf } from '@/widgets/questions/params';
import { asksFor, TEXT } from '@/widgets/questions/texts';
import styles from './app.module.css';
import { QUESTION_BAR, windowTitle } from './texts';

/** Milliseconds after which a question that is nowhere on the screen is told of. */
const SHOW_DELAY = 250;

/**
 * Tells of the newest question that is not on the screen, across the window, and counts all of them
 * in the window's title.
 */
export function QuestionBar() {
  const open = useQuestions((state) => state.open);
  const shown = useQuestions((state) => state.shown);
  const newest = open.at(-1);
  const hidden = open.filter(({ id }) => !shown.includes(id));
  const told = hidden.at(-1);
  useTitle(open.length);
  useAction('question.answer', () => newest && goToQuestion(told ?? newest), {
    when: newest !== undefined,
  });
  const server = useServer(told?.server ?? null);
  const isLate = useIsLate(told !== undefined);
  if (!told || !isLate) return null;
  const others = hidden.length - 1;
  return (
    <Banner
      tone="warn"
      actions={
        <Button variant="primary" onPress={() => goToQuestion(told)}>
          {TEXT.answer}
          <Kbd shortcut="mod+shift+r" />
        </Button>
      }
    >
      <div className={styles.question}>
        <strong>
          {visibleText(server?.name ?? '')} {asksFor(told.method)}
        </strong>
        <p className="ellipsis remark" dir="auto">
          {visibleText(subjectOf(told))}
        </p>
        {others > 0 && <p className={styles.questionCount}>{QUESTION_BAR.more(others)}</p>}
      </div>
    </Banner>
  );
}

/** Tells whether something has been so for a moment: the screen may be about to show it. */
function useIsLate(isSo: boolean): boolean {
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    if (!isSo) return;
    const timer = setTimeout(() => setLate(true), SHOW_DELAY);
    return () => {
      clearTimeout(timer);
      setLate(false);
    };
  }, [isSo]);
  return isLate;
}

/** Puts the number of open questions into the title, which the window takes over. */
function useTitle(count: number): void {
  const project = useServers((state) => state.project.name);
  useEffect(() => {
    document.title = windowTitle(project, count);
  }, [count, project]);
}
