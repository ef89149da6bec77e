import { Copy, GitCompare, Repeat, X } from 'lucide-react';
import { useCallback, useEffect, useState } from 'react';
import { useBackend } from '@/backend/backend';
import type {
  ExchangeId,
  Finding,
  RecordPlace,
  SessionReport,
  SessionView,
} from '@/backend/bindings';
import { Banner } from '@/components/Banner';
import { Button } from '@/components/Button';
import { Facts, Section } from '@/components/Section';
import { copyText } from '@/lib/clipboard';
import { formatCount, formatSize, formatTimestamp } from '@/lib/format';
import { visibleText } from '@/lib/visible-text';
import { showDialog } from '@/state/dialogs';
import { useNavigation } from '@/state/navigation';
import { showError, showNote } from '@/state/notices';
import { closeSession, useShownSession } from '@/state/record/sessions';
import { FindingList } from '@/widgets/findings/FindingList';
import styles from './sessions.module.css';
import { CHECKS, COMPARE, REPLAY, SESSION } from './texts';

/** An opened session file: what it is, what is wrong with it, and what can be done with it. */
export default function SessionPane() {
  const session = useShownSession();
  if (!session) return null;
  return (
    <div className="pane">
      <Heading session={session} />
      <Progress session={session} />
      {session.state.type === 'stopped' && (
        <Banner tone="bad">
          <strong>{SESSION.stopped}</strong> {visibleText(session.state.reason)}
        </Banner>
      )}
      <div className={styles.scroll}>
        <Remarks session={session} />
        <Checks key={session.id} session={session} />
        <FileFacts session={session} />
      </div>
    </div>
  );
}

function Heading({ session }: { session: SessionView }) {
  const backend = useBackend();
  const copy = () =>
    void copyText(session.mockCommand).then(() => showNote(SESSION.copiedMock), showError);
  return (
    <header className={styles.header}>
      <div className={styles.heading}>
        <h1 className="truncate text-title">
          <bdi>{visibleText(session.name)}</bdi>
        </h1>
        <p className="text-data remark">{SESSION.meaning}</p>
      </div>
      <Button onPress={() => showDialog({ kind: 'replay-session', session: session.id })}>
        <Repeat size={13} />
        {REPLAY.open}
      </Button>
      <Button onPress={() => showDialog({ kind: 'compare-session', session: session.id })}>
        <GitCompare size={13} />
        {COMPARE.open}
      </Button>
      <Button onPress={copy}>
        <Copy size={13} />
        {SESSION.copyMock}
      </Button>
      <Button variant="quiet" onPress={() => void closeSession(backend, session.id)}>
        <X size={13} />
        {SESSION.close}
      </Button>
    </header>
  );
}

function Progress({ session }: { session: SessionView }) {
  if (session.state.type !== 'loading') return null;
  const percent = Math.min(99, Math.floor((session.read / Math.max(1, session.size)) * 100));
  const label = SESSION.loading(percent);
  return (
    <div className={styles.progress}>
      <progress aria-label={label} max={100} value={percent} />
      <span>{label}</span>
    </div>
  );
}

function Remarks({ session }: { session: SessionView }) {
  const { remarks, moreRemarks: more, isMasked } = session;
  if (remarks.length === 0 && !isMasked) return null;
  return (
    <Section title={SESSION.remarks}>
      <ul className={styles.remarks}>
        {isMasked && <li>{SESSION.masked}</li>}
        {remarks.map((remark) => (
          <li key={remark}>{visibleText(remark)}</li>
        ))}
        {more > 0 && <li>{SESSION.moreRemarks(more)}</li>}
      </ul>
    </Section>
  );
}

function FileFacts({ session }: { session: SessionView }) {
  const names = SESSION.facts;
  return (
    <Section title={SESSION.kind}>
      <Facts
        facts={[
          [names.path, <code key="path">{visibleText(session.path)}</code>],
          [names.servers, visibleText(session.servers.join(', '))],
          [names.writtenBy, visibleText(session.application)],
          [names.writtenAt, session.writtenAt === null ? null : formatTimestamp(session.writtenAt)],
          [names.frames, formatCount(session.frames)],
          [names.size, formatSize(session.size)],
          [names.format, SESSION.version(session.version)],
        ]}
      />
    </Section>
  );
}

/** Findings of one check that are drawn. */
const MAX_SHOWN = 200;

/** The findings of the checks in an opened session, each with its row. */
function Checks({ session }: { session: SessionView }) {
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
