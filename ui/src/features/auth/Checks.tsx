import type { CheckView } from '@/backend/bindings';
import { Glyph } from '@/components/Glyph';
import { visibleText } from '@/lib/visible-text';
import { ClauseLink } from './ClauseLink';
import messagesStyles from './messages.module.css';
import { differsFrom, VERDICT_LOOKS } from './words';

/** What was checked: what was expected, what came, and where it is written. */
export function Checks({
  checks,
  label = 'Checks',
}: {
  checks: readonly CheckView[];
  label?: string;
}) {
  return (
    <table className={messagesStyles.checks} aria-label={label}>
      <thead>
        <tr>
          <th scope="col">Verdict</th>
          <th scope="col">What</th>
          <th scope="col">Expected</th>
          <th scope="col">Came</th>
          <th scope="col">Written in</th>
        </tr>
      </thead>
      <tbody>
        {checks.map((check, index) => {
          const { glyph, tone, words } = VERDICT_LOOKS[check.verdict];
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: the same may be checked twice
            <tr key={`${index} ${check.subject}`} data-verdict={check.verdict}>
              <td className={messagesStyles.verdict}>
                <Glyph glyph={glyph} tone={tone} /> {words}
              </td>
              <th scope="row">{check.subject}</th>
              <td className={messagesStyles.wire} data-label="Expected">
                {visibleText(check.expected)}
              </td>
              <td className={messagesStyles.wire} data-label="Came">
                <Came check={check} />
              </td>
              <td>{check.clause && <ClauseLink clause={check.clause} />}</td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

/** What came; where it failed, marked from where it differs. */
function Came({ check: { expected, came, verdict } }: { check: CheckView }) {
  const at = verdict === 'failed' ? differsFrom(expected, came) : came.length;
  return (
    <>
      {visibleText(came.slice(0, at))}
      {at < came.length && (
        <mark className={messagesStyles.difference}>{visibleText(came.slice(at))}</mark>
      )}
    </>
  );
}
