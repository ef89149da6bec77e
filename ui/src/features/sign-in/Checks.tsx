import type { CheckView } from '@/backend/bindings';
import { Glyph } from '@/components/Glyph';
import { visibleText } from '@/lib/visible-text';
import { ClauseLink } from './ClauseLink';
import { differsFrom } from './difference';
import { VERDICT_LABELS } from './labels';
import messagesStyles from './messages.module.css';
import { CHECKS } from './texts';

/** The checks of a step: the expected value, the actual one, and the clause behind them. */
export function Checks({
  checks,
  label = CHECKS.label,
}: {
  checks: readonly CheckView[];
  label?: string;
}) {
  return (
    <table className={messagesStyles.checks} aria-label={label}>
      <thead>
        <tr>
          <th scope="col">{CHECKS.verdict}</th>
          <th scope="col">{CHECKS.checked}</th>
          <th scope="col">{CHECKS.expected}</th>
          <th scope="col">{CHECKS.actual}</th>
          <th scope="col">{CHECKS.source}</th>
        </tr>
      </thead>
      <tbody>
        {checks.map((check, index) => {
          const { glyph, tone, label } = VERDICT_LABELS[check.verdict];
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: the same may be checked twice
            <tr key={`${index} ${check.subject}`} data-verdict={check.verdict}>
              <td className="nowrap">
                <Glyph glyph={glyph} tone={tone} /> {label}
              </td>
              <th scope="row">{check.subject}</th>
              <td className={messagesStyles.wire} data-label={CHECKS.expected}>
                {visibleText(check.expected)}
              </td>
              <td className={messagesStyles.wire} data-label={CHECKS.actual}>
                <Actual check={check} />
              </td>
              <td>{check.clause && <ClauseLink clause={check.clause} />}</td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

/** The actual value; marked from the first difference where the check failed. */
function Actual({ check: { expected, actual, verdict } }: { check: CheckView }) {
  const at = verdict === 'failed' ? differsFrom(expected, actual) : actual.length;
  return (
    <>
      {visibleText(actual.slice(0, at))}
      {at < actual.length && (
        <mark className={messagesStyles.difference}>{visibleText(actual.slice(at))}</mark>
      )}
    </>
  );
}
