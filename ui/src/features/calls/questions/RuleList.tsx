import type { AnswerRuleView } from '@/backend/bindings';
import { visibleText } from '@/lib/visible-text';
import styles from './questions.module.css';
import { RULES } from './texts';

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
