import { X } from 'lucide-react';
import { useRef } from 'react';
import { useBackend } from '@/backend/backend';
import type { CaseReport, CheckReport, RequestTextView, RequestView } from '@/backend/bindings';
import { Button, IconButton } from '@/components/Button';
import { Glyph } from '@/components/Glyph';
import { InlineCode } from '@/components/InlineCode';
import { Section } from '@/components/Section';
import { UnifiedDiff } from '@/components/UnifiedDiff';
import { formatDuration } from '@/lib/format';
import { visibleLines, visibleText } from '@/lib/visible-text';
import { showTraffic } from '@/state/navigation';
import { showError } from '@/state/notices';
import { Output } from '@/widgets/failure/Sentences';
import { VERDICTS } from '@/widgets/findings/texts';
import styles from './tests.module.css';
import { REQUESTS } from './texts';

interface ChecksProps {
  request: RequestView;
  report: CaseReport | undefined;
  text: RequestTextView | null;
  onChanged(view: RequestTextView): void;
}

/** The expectations of a request, each with how it went in the last run. */
export function Checks({ request, report, text, onChanged }: ChecksProps) {
  const backend = useBackend();
  const expectations = text?.expectations ?? [];
  const list = useRef<HTMLUListElement>(null);
  const remove = (index: number) => {
    void backend.deleteExpectation(request.path, index).then(onChanged).catch(showError);
    // The button goes with its row.
    list.current?.focus();
  };
  return (
    <Section
      title={REQUESTS.checks}
      aside={
        report?.requestFrame != null && (
          <span className="row-inline gap-3">
            <span className="text-small faint">{formatDuration(report.duration)}</span>
            <Button variant="quiet" onPress={() => showTraffic(`id:${report.requestFrame}`)}>
              {REQUESTS.showTraffic}
            </Button>
          </span>
        )
      }
    >
      {report?.reason != null && request.problems.length === 0 && (
        <p className={styles.reason} data-verdict={report.verdict}>
          {visibleText(
            report.verdict === 'skipped' ? REQUESTS.skipped(report.reason) : report.reason,
          )}
        </p>
      )}
      {report && <Output lines={report.evidence} />}
      {report?.hint != null && (
        <p className="break-anywhere text-data remark">
          <InlineCode text={visibleLines(report.hint)} />
        </p>
      )}
      {report?.updated.map((value) => (
        <p key={value} className={styles.reason}>
          {REQUESTS.snapshotWritten(value)}
        </p>
      ))}
      {expectations.length === 0 && request.problems.length === 0 && (
        <p className="break-anywhere text-data remark">{REQUESTS.noChecks}</p>
      )}
      <ul ref={list} tabIndex={-1} className={styles.checks} aria-label={REQUESTS.checks}>
        {expectations.map((expectation, index) => (
          <li key={`${expectation.line} ${expectation.label}`}>
            <Check
              label={expectation.label}
              line={expectation.line}
              // The values of a run may be filled in, so that the place tells which is which.
              check={report?.checks.find(({ line }) => line === expectation.line)}
              onRemove={() => remove(index)}
            />
          </li>
        ))}
      </ul>
    </Section>
  );
}

interface CheckProps {
  label: string;
  line: number;
  check: CheckReport | undefined;
  onRemove(): void;
}

function Check({ label, line, check, onRemove }: CheckProps) {
  const { glyph, tone } = VERDICTS[check ? (check.passed ? 'passed' : 'failed') : 'skipped'];
  return (
    <div className={styles.check}>
      <p className={styles.checkLine}>
        <Glyph glyph={glyph} tone={tone} />
        <code className="grow break-anywhere">{visibleText(label)}</code>
        <span className="text-small faint">{REQUESTS.line(line)}</span>
        <IconButton icon={X} label={REQUESTS.remove} onPress={onRemove} />
      </p>
      {check && !check.passed && <Failure check={check} />}
    </div>
  );
}

function Failure({ check }: { check: CheckReport }) {
  return (
    <div className={styles.why}>
      {check.message !== null && <p>{visibleText(check.message)}</p>}
      {check.difference !== null ? (
        <UnifiedDiff label={REQUESTS.differenceOfLine(check.line)} text={check.difference} />
      ) : (
        check.actual !== null && (
          <dl className={styles.values}>
            {check.expected !== null && (
              <>
                <dt>{REQUESTS.expected}</dt>
                <dd className="mono">{visibleLines(check.expected)}</dd>
              </>
            )}
            <dt>{REQUESTS.actual}</dt>
            <dd className="mono">{visibleLines(check.actual)}</dd>
          </dl>
        )
      )}
    </div>
  );
}
