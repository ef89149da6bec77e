import { useMemo, useState } from 'react';
import { useBackend } from '@/backend/backend';
import type { ItemView, ServerView } from '@/backend/bindings';
import { Button } from '@/components/Button';
import { EmptyState } from '@/components/EmptyState';
import { Kbd } from '@/components/Kbd';
import { visibleText } from '@/lib/visible-text';
import { useAction } from '@/state/actions';
import { showError } from '@/state/notices';
import { useResourceRevision } from '@/state/resource-updates';
import { isRunning, runIdOf, useRun } from '@/state/runs';
import { startRun } from '@/state/start-run';
import { isSubscribed, subscribe, unsubscribe, useSubscriptions } from '@/state/subscriptions';
import { ResultPane } from '@/widgets/result/ResultPane';
import { readResource } from './resource-definition';
import styles from './resources.module.css';
import { resourceText } from './text';

interface Props {
  server: ServerView;
  uri: string;
  /** Absent for a URI that the server does not list, such as that of a link. */
  item: ItemView | undefined;
}

/** One resource: what it is, and what reading it brought. */
export function ResourceDetail({ server, uri, item }: Props) {
  const about = useMemo(() => readResource(item?.json), [item?.json]);
  return (
    <div className={styles.pane}>
      <header className={styles.head}>
        <div className={styles.about}>
          <h2 className={styles.uri}>{visibleText(uri)}</h2>
          <p className={styles.description}>
            {[about.title, about.description].filter(Boolean).join(' · ') ||
              (item ? '' : 'Not among the resources that the server lists.')}
          </p>
          {about.facts.length > 0 && <p className={styles.facts}>{about.facts.join(' · ')}</p>}
          {item?.problem && <p className={styles.warn}>▲ {item.problem}</p>}
        </div>
      </header>
      <Reading server={server} uri={uri} />
    </div>
  );
}

/** Reads one URI and shows its contents; subscribes to it. */
export function Reading({ server, uri }: { server: ServerView; uri: string }) {
  const backend = useBackend();
  const runId = runIdOf('resource', server.id, uri);
  const run = useRun(runId);
  const running = isRunning(run) ? run : undefined;
  const subscriptions = useSubscriptions();
  const subscribed = isSubscribed(subscriptions, server, uri);
  const revision = useResourceRevision(server.id, uri);
  const [read, setRead] = useState(revision);
  const updates = revision - read;

  const start = () => {
    if (running || uri === '') return;
    setRead(revision);
    startRun(backend, server.id, { kind: 'resource', name: uri });
  };
  const cancel = () => {
    if (running) void backend.cancelCall(server.id, running.key).catch(showError);
  };
  const toggle = () => {
    const change = subscribed ? unsubscribe : subscribe;
    void change(backend, server, uri).catch(showError);
  };
  useAction('call.run', start, { when: running === undefined });
  useAction('call.cancel', cancel, { when: running !== undefined });
  return (
    <>
      <div className={styles.actions}>
        {running ? (
          <Button onPress={cancel}>Cancel</Button>
        ) : (
          <Button variant="primary" isDisabled={uri === ''} onPress={start} aria-label="Read">
            Read <Kbd shortcut="mod+enter" />
          </Button>
        )}
        <Button isDisabled={uri === ''} onPress={toggle}>
          {subscribed ? 'Unsubscribe' : 'Subscribe'}
        </Button>
        <span className={styles.updates} role="status">
          {updates > 0 && resourceText.updates(updates, run !== undefined)}
          {updates === 0 && subscribed && '◉ Subscribed; changes are announced here'}
        </span>
      </div>
      <div className={styles.result}>
        <ResultPane run={run} server={server.id} name={uri}>
          <EmptyState title="Not read yet">
            Read it to see its contents: text and JSON as such, images and sounds as themselves,
            other bytes as a hex dump.
          </EmptyState>
        </ResultPane>
      </div>
    </>
  );
}
