import { useCallback, useEffect, useState } from 'react';
import { useBackend } from '@/backend/backend';
import type { SessionCheck, SessionFinding, SessionReport, SessionView } from '@/backend/bindings';
import { Button } from '@/components/Button';
import { Section } from '@/components/Section';
import { visibleText } from '@/lib/visible-text';
import { useNavigation } from '@/state/navigation';
import { showError } from '@/state/notices';
import styles from './sessions.module.css';
import { CHECK_TITLES, CHECKS } from './texts';

/** Findings of one check that are drawn. */
const MAX_SHOWN = 200;

/** The findings of the checks in an opened session, each with its row. */
export function Checks({ session }: { session: SessionView }) {
  const backend = useBackend();
  const [report, setReport] = useState<SessionReport | null>(null);
  const [isBusy, setBusy] = useState(false);
  const isLoading = session.state.kind === 'loading';

  const check = useCallback(async () => {
    setBusy(true);
    try {
      setReport(await backend.checkSession(session.id));
    } catch (reason) {
      showError(reason);
    } finally {
      setBusy(false);
    }
  }, [backend, session.id]);

  useEffect(() => {
    if (!isLoading) void check();
  }, [isLoading, check]);

  return (
    <Section
      title={CHECKS.title}
      aside={
        <Button variant="quiet" isDisabled={isBusy} onPress={() => void check()}>
          {isBusy ? CHECKS.running : report === null ? CHECKS.run : CHECKS.again}
        </Button>
      }
    >
      <div aria-live="polite">{report && <Report report={report} />}</div>
    </Section>
  );
}

function Report({ report }: { report: SessionReport }) {
  const { findings, frames, left_out: leftOut } = report;
  if (findings.length === 0) return <p className="ok">✓ {CHECKS.none(frames)}</p>;
  const groups = new Map<SessionCheck, SessionFinding[]>();
  for (const finding of findings) {
    const known = groups.get(finding.check);
    if (known) known.push(finding);
    else groups.set(finding.check, [finding]);
  }
  return (
    <>
      <p className="text-data remark">{CHECKS.found(findings.length + leftOut, frames)}</p>
      {[...groups].map(([check, found]) => (
        <Group key={check} title={CHECK_TITLES[check]} findings={found} />
      ))}
      {leftOut > 0 && <p className="text-data remark">{CHECKS.leftOut(leftOut)}</p>}
    </>
  );
}

function Group({ title, findings }: { title: string; findings: readonly SessionFinding[] }) {
  return (
    <section className={styles.group} aria-label={title}>
      <h3>
        {title} <span>{findings.length}</span>
      </h3>
      <ul className={styles.findings}>
        {findings.slice(0, MAX_SHOWN).map((finding, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the findings of a report never move
          <li key={index}>
            <Finding finding={finding} />
          </li>
        ))}
      </ul>
      {findings.length > MAX_SHOWN && (
        <p className="text-data remark">{CHECKS.leftOut(findings.length - MAX_SHOWN)}</p>
      )}
    </section>
  );
}

function Finding({ finding }: { finding: SessionFinding }) {
  const showExchange = useNavigation((state) => state.showExchange);
  const { exchange, method, message } = finding;
  return (
    <>
      {exchange !== null && (
        <Button
          variant="quiet"
          className={styles.row}
          aria-label={CHECKS.show(exchange)}
          onPress={() => showExchange(exchange)}
        >
          {CHECKS.row(exchange)}
        </Button>
      )}
      {method !== '' && <span className={`mono ${styles.method}`}>{visibleText(method)}</span>}
      <span className="min-w-0 break-anywhere">{visibleText(message)}</span>
    </>
  );
}
