import type { ReactNode } from 'react';
import { useBackend } from '@/backend/backend';
import type { Clause, Finding, Verdict } from '@/backend/bindings';
import { Glyph } from '@/components/Glyph';
import { InlineCode } from '@/components/InlineCode';
import { formatDuration } from '@/lib/format';
import { visibleLines, visibleText } from '@/lib/visible-text';
import { showError } from '@/state/notices';
import styles from './findings.module.css';
import { FINDINGS, LEVELS, VERDICTS } from './texts';

interface FindingListProps<S> {
  /** The name of the list, where nothing around it has one. */
  label?: string | undefined;
  findings: readonly Finding<S>[];
  /**
   * Part that leads: the rule, where those that hold are listed too, or the case at hand. The case
   * stands alone where a heading names the rule: what all cases share is then said once.
   */
  leads?: 'rule' | 'case' | 'case-alone';
  /** Shows the place of the fault, before the words for it. */
  place?: (finding: Finding<S>) => ReactNode;
  /** Offers what can be done about it. */
  actions?: (finding: Finding<S>) => ReactNode;
}

/** Findings with their verdicts, each with the rule, the case at hand and what it rests on. */
export function FindingList<S>({
  label,
  findings,
  leads = 'rule',
  place,
  actions,
}: FindingListProps<S>) {
  const [first, ...others] = findings;
  if (!first) return null;
  const isSame = (other: Finding<S>) => other.message === first.message;
  const isAlone = leads === 'case-alone' && others.length > 0;
  const sharesVerdict = isAlone && others.every(({ verdict }) => verdict === first.verdict);
  // Also of most alone: the others say what they say instead.
  const sharesMessage = isAlone && first.message !== null && others.some(isSame);
  const list = (
    <ul className="plain-list m-0" aria-label={label}>
      {findings.map((finding, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a rule may be broken twice, and findings never move
        <li key={`${finding.rule} ${index}`} className={styles.row} data-verdict={finding.verdict}>
          {!sharesVerdict && <VerdictWord verdict={finding.verdict} />}
          <div className="grow min-w-0 break-anywhere selectable">
            {place?.(finding)}
            {!(sharesMessage && isSame(finding)) && <Words finding={finding} leads={leads} />}
            {finding.clause !== null && !HELD.includes(finding.verdict) && (
              <ClauseLink clause={finding.clause} />
            )}
            {finding.evidence.length > 0 && (
              <details open={finding.verdict === 'failed'}>
                <summary className="remark">{FINDINGS.evidence}</summary>
                <pre className={styles.evidence}>{visibleLines(finding.evidence.join('\n'))}</pre>
              </details>
            )}
          </div>
          <div className="row-baseline flex-none gap-3 figures">
            {finding.duration !== null && (
              <span className="nowrap remark">{formatDuration(finding.duration)}</span>
            )}
            {actions?.(finding)}
          </div>
        </li>
      ))}
    </ul>
  );
  if (!sharesVerdict && !sharesMessage) return list;
  return (
    <>
      <p className={styles.shared} dir="auto">
        {sharesVerdict && <VerdictWord verdict={first.verdict} />}
        {sharesMessage && <InlineCode text={visibleLines(first.message ?? '')} />}
      </p>
      {list}
    </>
  );
}

function VerdictWord({ verdict }: { verdict: Verdict }) {
  const { label, ...glyph } = VERDICTS[verdict];
  return (
    <>
      <Glyph {...glyph} />
      <span className={styles.verdict}>{label}</span>
    </>
  );
}

/** Verdicts with which nobody looks the rule up. */
const HELD: readonly Verdict[] = ['passed', 'skipped', 'notApplicable'];

interface WordsProps {
  finding: Finding<unknown>;
  leads: 'rule' | 'case' | 'case-alone';
}

function Words({ finding: { title, message }, leads }: WordsProps) {
  const rule = visibleText(title);
  const found = message === null ? null : visibleLines(message);
  const [first, second] =
    found === null ? [rule, null] : leads === 'rule' ? [rule, found] : [found, rule];
  return (
    <>
      <p dir="auto">
        <InlineCode text={first} />
      </p>
      {second !== null && leads !== 'case-alone' && (
        <p className="remark" dir="auto">
          <InlineCode text={second} />
        </p>
      )}
    </>
  );
}

/** A clause with its strength; opens in the browser where its address is known. */
export function ClauseLink({ clause: { title, url, level } }: { clause: Clause }) {
  const backend = useBackend();
  const words = `${level === null ? '' : `${LEVELS[level]}, `}${visibleText(title)}`;
  if (url === null) return <span className="faint text-small">{words}</span>;
  return (
    <a
      href={url}
      className={styles.clause}
      onClick={(event) => {
        event.preventDefault();
        backend.openAddress(url).catch(showError);
      }}
    >
      {words}
    </a>
  );
}
