import type { AnswerRuleView, AutomaticAnswer, ServerView } from '@/backend/bindings';
import { Button } from '@/components/Button';
import { formatTime } from '@/lib/format';
import { visibleText } from '@/lib/visible-text';
import { useQuestions } from '@/state/calls/questions';
import { showDialog } from '@/state/dialogs';
import { useSnapshot } from '@/state/snapshot';
import styles from './questions.module.css';
import { RULES } from './texts';

/** The rules that answer questions, and what they answered to this server. */
export function Rules({ server }: { server: ServerView }) {
  const { path, problems, rules } = useSnapshot((state) => state.answerRules);
  const edit = () => showDialog({ kind: 'answer-rules' });
  return (
    <section className={styles.body} aria-label={RULES.list}>
      <div className="row justify-between gap-4">
        <h2>{RULES.list}</h2>
        <Button onPress={edit}>{RULES.edit}</Button>
      </div>
      <p className="remark">{RULES.meaning}</p>
      {problems.length > 0 && (
        <p role="status" className="bad">
          ✕ {RULES.broken} {problems[0]?.line}: {visibleText(problems[0]?.message ?? '')}
        </p>
      )}
      {problems.length === 0 && <RuleList rules={rules} />}
      {rules.length > 0 && (
        <code className="break-anywhere selectable remark">{visibleText(path)}</code>
      )}
      <Answered server={server} />
    </section>
  );
}

function Answered({ server }: { server: ServerView }) {
  const automatic = useQuestions((state) => state.automatic);
  const answers = automatic
    .filter((answer) => answer.server === server.id && answer.rule !== null)
    .reverse();
  if (answers.length === 0) return null;
  return (
    <>
      <h3>{RULES.answered}</h3>
      <ul className={styles.byRule} aria-label={RULES.answered}>
        {answers.map((answer) => (
          <AnsweredRow key={answer.at} answer={answer} />
        ))}
      </ul>
    </>
  );
}

function AnsweredRow({ answer }: { answer: AutomaticAnswer }) {
  return (
    <li>
      <span className={styles.time}>{formatTime(answer.at ?? 0).slice(0, 8)}</span>
      <span>
        <strong>{visibleText(answer.rule ?? '')}</strong>{' '}
        <code className="remark">{answer.method}</code>
        {answer.message && <p dir="auto">{visibleText(answer.message)}</p>}
        <code className="block">{visibleText(answer.json)}</code>
      </span>
    </li>
  );
}

/** Rules in the order in which they are looked at. */
export function RuleList({ rules }: { rules: readonly AnswerRuleView[] }) {
  if (rules.length === 0) return <p className="remark">{RULES.none}</p>;
  return (
    <div className="scroll">
      <table className={styles.table} aria-label={RULES.list}>
        <thead>
          <tr>
            <th>{RULES.name}</th>
            <th>{RULES.about}</th>
            <th>{RULES.answer}</th>
            <th className={styles.number}>{RULES.fired}</th>
          </tr>
        </thead>
        <tbody>
          {rules.map((rule) => (
            <tr key={rule.name}>
              <td>{visibleText(rule.name)}</td>
              <td className="remark">{visibleText(rule.conditions)}</td>
              <td>{visibleText(rule.answer)}</td>
              <td className={styles.number}>{rule.fired}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
