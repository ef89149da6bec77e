import { useState } from 'react';
import { useBackend } from '@/backend/backend';
import type { ItemRow, ServerView } from '@/backend/bindings';
import { Button } from '@/components/Button';
import { Glyph } from '@/components/Glyph';
import { useAsyncEffect } from '@/components/use-async-effect';
import { visibleText } from '@/lib/visible-text';
import { useList, useLists } from '@/state/calls/lists';
import { useNavigation } from '@/state/navigation';
import { lossSentence } from '@/widgets/failure/loss';
import { SetForSession } from '@/widgets/failure/SetForSession';
import { LOSS } from '@/widgets/failure/texts';
import { extentOf } from './extent';
import { findingsOf } from './findings';
import { NextSteps } from './NextSteps';
import styles from './overview.module.css';
import { VERDICT } from './texts';

/** Tools that are looked at for the verdict. */
const MAX_TOOLS = 500;
const NO_LISTS = {};

/** The verdict on a server that is connected: that it works, and what others may trip over. */
export function VerdictPanel({ server }: { server: ServerView }) {
  const tools = useTools(server);
  const lists = useLists((state) => state.byServer[server.id] ?? NO_LISTS);
  const findings = findingsOf(server, tools, Object.values(lists));
  const titleId = `verdict-${server.id}`;
  const { loss } = server.status;
  const action = loss?.failure.hint.action;
  const hasStray = findings.some(({ id }) => id === 'stdout');
  return (
    <section aria-labelledby={titleId} className="stack gap-4 pad-x-8 pad-y-6 edge-bottom">
      <div className="row wrap justify-between gap-4">
        <h2 id={titleId} className="row-baseline gap-4 break-anywhere">
          <Glyph {...(findings.length === 0 && loss === null ? WORKS : REMARKS)} />
          {[VERDICT.works, ...extentOf(lists)].join(' · ')}
        </h2>
        <NextSteps server={server} />
      </div>
      {loss !== null && (
        <p>
          {lossSentence(loss, Date.now())}{' '}
          <span className="regular remark">
            {visibleText(loss.failure.headline ?? loss.failure.reason)}
          </span>
        </p>
      )}
      {findings.length > 0 && <p>{VERDICT.findings(findings.length)}</p>}
      {findings.length > 0 && (
        <ul className={styles.findings}>
          {findings.map(({ id, title, detail }) => (
            <li key={id}>
              {title} <span className="regular remark">{detail}</span>
            </li>
          ))}
        </ul>
      )}
      {(hasStray || loss !== null) && (
        <div className="flex wrap gap-4">
          {action?.type === 'setVariable' && server.target && (
            <SetForSession server={server} name={action.name} verb={LOSS.setAndRestart} />
          )}
          <Button
            onPress={() =>
              useNavigation
                .getState()
                .showTraffic(
                  hasStray ? `server:${server.name} status:error` : `server:${server.name} exit`,
                )
            }
          >
            {VERDICT.showMessages}
          </Button>
        </div>
      )}
    </section>
  );
}

const WORKS = { glyph: '●', tone: 'ok' } as const;
const REMARKS = { glyph: '▲', tone: 'warn' } as const;

/** The first tools of a server, read again when its list changes. */
function useTools(server: ServerView): readonly ItemRow[] {
  const backend = useBackend();
  const list = useList(server.id, 'tools');
  const [tools, setTools] = useState<readonly ItemRow[]>([]);
  const revision = list?.state.type === 'loaded' ? list.revision : null;
  useAsyncEffect(
    () =>
      revision === null
        ? null
        : {
            start: () => backend.listItems(server.id, 'tools', '', 0, MAX_TOOLS),
            onValue: (window) => setTools(window.rows),
          },
    [backend, server.id, revision],
  );
  return tools;
}
