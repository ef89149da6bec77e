import type { ComparedValues, Finding } from '@/backend/bindings';
import { Glyph } from '@/components/Glyph';
import { TableHead } from '@/components/TableHead';
import { visibleText } from '@/lib/visible-text';
import { ClauseLink } from '@/widgets/findings/FindingList';
import { VERDICTS } from '@/widgets/findings/texts';
import { differsFrom } from './difference';
import messagesStyles from './messages.module.css';
import { CHECK_VERDICTS, CHECKS } from './texts';

/** The checks of a step: the expected value, the actual one, and the clause behind them. */
export function Checks({
  checks,
  label = CHECKS.label,
}: {
  checks: readonly Finding<ComparedValues>[];
  label?: string;
}) {
  return (
    <table className={messagesStyles.checks} aria-label={label}>
      <TableHead
        titles={[CHECKS.verdict, CHECKS.checked, CHECKS.expected, CHECKS.actual, CHECKS.source]}
      />
      <tbody>
        {checks.map((check, index) => {
          const { glyph, tone, label } = VERDICTS[check.verdict];
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: the same may be checked twice
            <tr key={`${index} ${check.rule}`} data-verdict={check.verdict}>
              <td className="nowrap">
                <Glyph glyph={glyph} tone={tone} /> {CHECK_VERDICTS[check.verdict] ?? label}
              </td>
              <th scope="row">{check.title}</th>
              <td className={messagesStyles.wire} data-label={CHECKS.expected}>
                {visibleText(check.subject.expected)}
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
function Actual({ check: { subject, verdict } }: { check: Finding<ComparedValues> }) {
  const { expected, actual } = subject;
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
