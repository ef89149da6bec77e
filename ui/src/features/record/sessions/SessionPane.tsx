import { Copy, GitCompare, Repeat, X } from 'lucide-react';
import { useBackend } from '@/backend/backend';
import type { SessionView } from '@/backend/bindings';
import { Banner } from '@/components/Banner';
import { Button } from '@/components/Button';
import { Facts, Section } from '@/components/Section';
import { copyText } from '@/lib/clipboard';
import { formatCount, formatSize, formatTimestamp } from '@/lib/format';
import { visibleText } from '@/lib/visible-text';
import { useDialogs } from '@/state/dialogs';
import { showError, showNote } from '@/state/notices';
import { closeSession, useShownSession } from '@/state/record/sessions';
import { Checks } from './Checks';
import styles from './sessions.module.css';
import { COMPARE, REPLAY, SESSION } from './texts';

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
      <Button
        onPress={() => useDialogs.getState().show({ kind: 'replay-session', session: session.id })}
      >
        <Repeat size={13} />
        {REPLAY.open}
      </Button>
      <Button
        onPress={() => useDialogs.getState().show({ kind: 'compare-session', session: session.id })}
      >
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
