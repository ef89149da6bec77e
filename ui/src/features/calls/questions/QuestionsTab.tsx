import { useEffect } from 'react';
import { Collection, ListBox, ListBoxItem } from 'react-aria-components';
import type { ServerQuestion, ServerView } from '@/backend/bindings';
import { moveByLetters } from '@/components/letter-keys';
import { oneSelected } from '@/components/one-selected';
import { SplitPane } from '@/components/SplitPane';
import { useElapsed } from '@/components/use-elapsed';
import { formatDuration } from '@/lib/format';
import { visibleText } from '@/lib/visible-text';
import { windowWidth } from '@/lib/window-size';
import { type EndedQuestion, useQuestions } from '@/state/calls/questions';
import { useSnapshot } from '@/state/snapshot';
import { subjectOf } from '@/widgets/questions/params';
import QuestionPane, { EndedPane } from '@/widgets/questions/QuestionPane';
import { TEXT } from '@/widgets/questions/texts';
import styles from './questions.module.css';
import { Roots } from './Roots';
import { Rules } from './Rules';
import { QUESTIONS } from './texts';

/** A small window leaves more of its width to the question. */
const PANES = [
  { id: 'open questions', size: windowWidth() < 900 ? 150 : 290, min: 120, keepsPixels: true },
  { id: 'request', min: 240 },
] as const;

/** The entries of the list that are no questions. Questions count from 1. */
const FOLDERS = 0;
const RULES = -1;

/** The server's questions, and the user's answers. */
export default function QuestionsTab({ server }: { server: ServerView }) {
  const open = useQuestions((state) => state.open);
  const ended = useQuestions((state) => state.ended);
  const chosen = useQuestions((state) => state.chosen[server.id] ?? null);
  const choose = useQuestions((state) => state.choose);
  const entries: Entry[] = [...open.map((question) => ({ question })), ...ended]
    .filter(({ question }) => question.server === server.id)
    .map((entry) => ({ ...entry, id: entry.question.id }));
  const rules = useSnapshot((state) => state.answerRules.rules.length);
  const isQuestion = chosen !== FOLDERS && chosen !== RULES;
  const entry = isQuestion
    ? (entries.find(({ id }) => id === chosen) ?? newest(entries))
    : undefined;
  const shown = entry?.id;
  // What is shown stays when it ends, also while others wait.
  useEffect(() => {
    if (shown !== undefined) choose(server.id, shown);
  }, [choose, server.id, shown]);

  if (entries.length === 0) {
    return (
      <div className="stack min-w-0 h-full">
        <div className={styles.empty}>
          <h2>{TEXT.none}</h2>
          <p className="remark">{TEXT.noneRemark}</p>
        </div>
        <div className={styles.standing}>
          <Rules server={server} />
          <Roots server={server} />
        </div>
      </div>
    );
  }
  return (
    <SplitPane name="requests" direction="row" stackBelow={400} panes={PANES}>
      <div className="h-full scroll" onKeyDownCapture={moveByLetters}>
        <ListBox
          aria-label={QUESTIONS.label}
          {...oneSelected(entry?.id ?? chosen ?? FOLDERS, (id) => choose(server.id, id))}
        >
          <Collection items={entries}>{(item) => <QuestionRow entry={item} />}</Collection>
          <ListBoxItem id={FOLDERS} textValue={QUESTIONS.folders} className={styles.row}>
            <span className="truncate">{QUESTIONS.folders}</span>
            <em>{server.roots.folders.length}</em>
          </ListBoxItem>
          <ListBoxItem id={RULES} textValue={QUESTIONS.rules} className={styles.row}>
            <span className="truncate">{QUESTIONS.rules}</span>
            <em>{rules}</em>
          </ListBoxItem>
        </ListBox>
      </div>
      {entry === undefined ? (
        chosen === RULES ? (
          <Rules server={server} />
        ) : (
          <Roots server={server} />
        )
      ) : entry.how === undefined ? (
        <QuestionPane key={entry.id} question={entry.question} />
      ) : (
        <EndedPane key={entry.id} ended={{ question: entry.question, how: entry.how }} />
      )}
    </SplitPane>
  );
}

/** A question that waits, or one that ended. */
interface Entry {
  id: number;
  question: ServerQuestion;
  how?: EndedQuestion['how'];
}

/** The newest question that can be answered, else the newest that ended. */
function newest(entries: readonly Entry[]): Entry | undefined {
  return entries.findLast(({ how }) => how === undefined) ?? entries.at(-1);
}

function QuestionRow({ entry: { question, how } }: { entry: Entry }) {
  return (
    <ListBoxItem
      id={question.id}
      textValue={subjectOf(question)}
      className={styles.row}
      data-ended={how !== undefined || undefined}
    >
      <span className={styles.glyph} aria-hidden="true">
        {how === undefined ? '▲' : '■'}
      </span>
      <span className="truncate">{visibleText(subjectOf(question))}</span>
      {how === undefined ? <Waiting since={question.at} /> : <em>{QUESTIONS.ended}</em>}
    </ListBoxItem>
  );
}

function Waiting({ since }: { since: number | null }) {
  const waited = useElapsed(since, true);
  return <em>{formatDuration(Math.floor(waited / 1000) * 1000)}</em>;
}
