import { useCallback, useEffect, useState } from 'react';
import { useBackend } from '@/backend/backend';
import type {
  ExchangeId,
  Finding,
  RecordPlace,
  SessionReport,
  SessionView,
} from '@/backend/bindings';
import { Button } from '@/components/Button';
import { Section } from '@/components/Section';
import { visibleText } from '@/lib/visible-text';
import { useNavigation } from '@/state/navigation';
import { showError } from '@/state/notices';
import { FindingList } from '@/widgets/findings/FindingList';
import styles from './sessions.module.css';
import { CHECKS } from './texts';

/** Findings of one check that are drawn. */
const MAX_SHOWN = 200;

/** The findings of the checks in an opened session, each with its row. */
export function Checks({ session }: { session: SessionView }) {
  const backend = useBackend();
  const [report, setReport] = useState<SessionReport | null>(null);
  const [isBusy, setBusy] = useState(false);
  const isLoading = session.state.type === 'loading';

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
  const { findings, frames, leftOut } = report;
  if (findings.length === 0) return <p className="ok">✓ {CHECKS.none(frames)}</p>;
  const groups = new Map<string, Finding<RecordPlace>[]>();
  for (const finding of findings) {
    const known = groups.get(finding.title);
    if (known) known.push(finding);
    else groups.set(finding.title, [finding]);
  }
  return (
    <>
      <p className="text-data remark">{CHECKS.found(findings.length + leftOut, frames)}</p>
      {[...groups].map(([title, found]) => (
        <Group key={title} title={title} findings={found} />
      ))}
      {leftOut > 0 && <p className="text-data remark">{CHECKS.leftOut(leftOut)}</p>}
    </>
  );
}

function Group({ title, findings }: { title: string; findings: readonly Finding<RecordPlace>[] }) {
  return (
    <section className={styles.group} aria-label={title}>
      <h3>
        {title} <span>{findings.length}</span>
      </h3>
      <FindingList
        findings={findings.slice(0, MAX_SHOWN)}
        leads="case-alone"
        place={({ subject: { method } }) =>
          method !== '' && <p className="mono remark">{visibleText(method)}</p>
        }
        actions={({ exchanges }) => exchanges.map((row) => <ShowRow key={row} row={row} />)}
      />
      {findings.length > MAX_SHOWN && (
        <p className="text-data remark">{CHECKS.leftOut(findings.length - MAX_SHOWN)}</p>
      )}
    </section>
  );
}

function ShowRow({ row }: { row: ExchangeId }) {
  const showExchange = useNavigation((state) => state.showExchange);
  return (
    <Button variant="quiet" aria-label={CHECKS.show(row)} onPress={() => showExchange(row)}>
      {CHECKS.row(row)}
    </Button>
  );
}
