import { useEffect, useState } from 'react';
import { Collection, ListBox, ListBoxItem } from 'react-aria-components';
import { useBackend } from '@/backend/backend';
import type { ServerAnswer, ServerRequest, ServerView } from '@/backend/bindings';
import { moveByLetters } from '@/components/letter-keys';
import { SplitPane } from '@/components/SplitPane';
import { useElapsed } from '@/components/use-elapsed';
import { formatDuration } from '@/lib/format';
import { visibleText } from '@/lib/visible-text';
import { showError } from '@/state/notices';
import { type EndedRequest, useRequests } from '@/state/requests';
import type { AnswerProps } from './answer-props';
import { EndedPane } from './EndedPane';
import { FormElicitation } from './FormElicitation';
import { JsonAnswer } from './JsonAnswer';
import { paramsOf, subjectOf, TITLES } from './params';
import { Roots } from './Roots';
import styles from './requests.module.css';
import { Sampling } from './Sampling';
import { UrlElicitation } from './UrlElicitation';

const PANES = [
  { id: 'open requests', size: 290, min: 160, keepsPixels: true },
  { id: 'request', min: 240 },
] as const;

/** The entry of the list that is no question: the folders. Questions count from 1. */
const FOLDERS = 0;

/** The server's questions, and the user's answers. */
export default function RequestsTab({ server }: { server: ServerView }) {
  const open = useRequests((state) => state.open);
  const ended = useRequests((state) => state.ended);
  const [chosen, setChosen] = useState<number | null>(null);
  const entries: Entry[] = [...open.map((request) => ({ request })), ...ended]
    .filter(({ request }) => request.server === server.id)
    .map((entry) => ({ ...entry, id: entry.request.id }));
  const entry =
    chosen === FOLDERS ? undefined : (entries.find(({ id }) => id === chosen) ?? entries[0]);
  const shown = entry?.id;
  // What is shown stays when it ends, also while others wait.
  useEffect(() => {
    if (shown !== undefined) setChosen(shown);
  }, [shown]);

  if (entries.length === 0) {
    return (
      <div className={styles.pane}>
        <div className={styles.empty}>
          <h2>Nothing is asked of you</h2>
          <p className={styles.remark}>
            When the server asks for input or for a sample of a model, its question waits here until
            you answer.
          </p>
        </div>
        <Roots server={server} />
      </div>
    );
  }
  return (
    <SplitPane name="requests" direction="row" stackBelow={560} panes={PANES}>
      <div className={styles.list} onKeyDownCapture={moveByLetters}>
        <ListBox
          aria-label="Requests"
          selectionMode="single"
          selectionBehavior="replace"
          disallowEmptySelection
          selectedKeys={[entry?.id ?? FOLDERS]}
          onSelectionChange={(keys) => {
            const [key] = keys === 'all' ? [] : keys;
            if (typeof key === 'number') setChosen(key);
          }}
        >
          <Collection items={entries}>{(item) => <RequestRow entry={item} />}</Collection>
          <ListBoxItem id={FOLDERS} textValue="Folders" className={styles.row}>
            <span className={styles.subject}>Folders</span>
            <em>{server.roots.folders.length}</em>
          </ListBoxItem>
        </ListBox>
      </div>
      {entry === undefined ? (
        <Roots server={server} />
      ) : entry.how === undefined ? (
        <RequestPane key={entry.id} request={entry.request} />
      ) : (
        <EndedPane key={entry.id} ended={{ request: entry.request, how: entry.how }} />
      )}
    </SplitPane>
  );
}

/** A question that waits, or one that ended. */
interface Entry {
  id: number;
  request: ServerRequest;
  how?: EndedRequest['how'];
}

function RequestRow({ entry: { request, how } }: { entry: Entry }) {
  return (
    <ListBoxItem
      id={request.id}
      textValue={subjectOf(request)}
      className={styles.row}
      data-ended={how !== undefined || undefined}
    >
      <span className={styles.glyph} aria-hidden="true">
        {how === undefined ? '▲' : '■'}
      </span>
      <span className={styles.subject}>{visibleText(subjectOf(request))}</span>
      {how === undefined ? <Waiting since={request.at} /> : <em>ended</em>}
    </ListBoxItem>
  );
}

function Waiting({ since }: { since: number | null }) {
  const waited = useElapsed(since, true);
  return <em>{formatDuration(Math.floor(waited / 1000) * 1000)}</em>;
}

function RequestPane({ request }: { request: ServerRequest }) {
  const backend = useBackend();
  const [sending, setSending] = useState(false);
  const answer = async (answer: ServerAnswer) => {
    setSending(true);
    try {
      await backend.answerRequest(request.id, answer);
    } catch (reason) {
      setSending(false);
      showError(reason);
    }
  };
  return (
    <div className={styles.pane}>
      <header className={styles.head}>
        <h2>{TITLES[request.method] ?? request.method}</h2>
        <code className={styles.method}>{request.method}</code>
      </header>
      <Content request={request} isSending={sending} onAnswer={answer} />
    </div>
  );
}

function Content(props: AnswerProps) {
  const { method } = props.request;
  switch (method) {
    case 'elicitation/create':
      return paramsOf(props.request).mode === 'url' ? (
        <UrlElicitation {...props} />
      ) : (
        <FormElicitation {...props} />
      );
    case 'sampling/createMessage':
      return <Sampling {...props} />;
    default:
      return <JsonAnswer {...props} start="{}" />;
  }
}
