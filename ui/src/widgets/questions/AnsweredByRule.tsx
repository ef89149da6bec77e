import type { ServerId } from '@/backend/bindings';
import { visibleText } from '@/lib/visible-text';
import { useQuestions } from '@/state/calls/questions';
import styles from './questions.module.css';
import { TEXT } from './texts';

interface AnsweredByRuleProps {
  server: ServerId;
  call: string;
  /** The begin of the call, in milliseconds since the Unix epoch. */
  began: number;
}

/** The rules that answered questions of a call. */
export function AnsweredByRule({ server, call, began }: AnsweredByRuleProps) {
  const automatic = useQuestions((state) => state.automatic);
  const rules = automatic.flatMap((answer) =>
    answer.server === server &&
    answer.call === call &&
    answer.rule !== null &&
    (answer.at ?? 0) >= began
      ? [visibleText(answer.rule)]
      : [],
  );
  if (rules.length === 0) return null;
  return <p className={styles.byRule}>{TEXT.answeredBy([...new Set(rules)], rules.length)}</p>;
}
