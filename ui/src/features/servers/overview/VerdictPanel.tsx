import type { ServerView } from '@/backend/bindings';
import { Button } from '@/components/Button';
import { Glyph } from '@/components/Glyph';
import { InlineCode } from '@/components/InlineCode';
import { visibleText } from '@/lib/visible-text';
import { useLists } from '@/state/calls/lists';
import { byRule } from '@/state/checks/findings';
import { JUDGED } from '@/state/checks/texts';
import { isBad, useServerFindings, useServerVerdict } from '@/state/checks/verdict';
import { showDialog } from '@/state/dialogs';
import { openPlace, showTraffic } from '@/state/navigation';
import { lossSentence } from '@/widgets/failure/loss';
import { SetForSession } from '@/widgets/failure/SessionValues';
import { LOSS } from '@/widgets/failure/texts';
import { CHECK_STATES } from '@/widgets/findings/texts';
import { extentOf } from './extent';
import styles from './overview.module.css';
import { NEXT_STEPS, VERDICT } from './texts';

/** Rules whose findings are named; the findings of others are counted. */
const MAX_NAMED = 3;
const NO_LISTS = {};

/** The verdict on a server that is connected: that it works, and what its checks found. */
export function VerdictPanel({ server }: { server: ServerView }) {
  const { state, count, parts } = useServerVerdict(server);
  const rules = byRule(useServerFindings(server) ?? []);
  const unnamed = rules.slice(MAX_NAMED).flat().length;
  const lists = useLists((known) => known.byServer[server.id] ?? NO_LISTS);
  const titleId = `verdict-${server.id}`;
  const { loss } = server.status;
  const action = loss?.failure.hint.action;
  // A loss is told below the title, and findings one by one. A diagnosis may have come after it.
  const { findings: _, connection, ...others } = parts;
  const isLoss = loss !== null && connection.words === JUDGED.lost(loss.count);
  const told = [...(isLoss ? [] : [connection]), ...Object.values(others)];
  const things = count - (isLoss ? connection.count : 0);
  return (
    <section aria-labelledby={titleId} className="stack gap-4 pad-x-8 pad-y-6 edge-bottom">
      <div className="row wrap justify-between gap-4">
        <h2 id={titleId} className="row-baseline gap-4 break-anywhere">
          <Glyph {...CHECK_STATES.passed} />
          {[VERDICT.works, ...extentOf(lists)].join(' · ')}
        </h2>
        <NextSteps server={server} />
      </div>
      {loss !== null && (
        <>
          <p className="row-baseline gap-4">
            <Glyph {...CHECK_STATES.warning} />
            <span className="min-w-0 break-anywhere">
              <InlineCode text={lossSentence(loss, Date.now())} />{' '}
              <span className="regular remark">
                {visibleText(loss.failure.headline ?? loss.failure.reason)}
              </span>
            </span>
          </p>
          <div className="flex wrap gap-4">
            {action?.type === 'setVariable' && server.origin !== 'builtIn' && (
              <SetForSession server={server} name={action.name} verb={LOSS.setAndRestart} />
            )}
            <Button onPress={() => showTraffic(`server:${server.name} exit`)}>
              {VERDICT.showMessages}
            </Button>
          </div>
        </>
      )}
      {things > 0 && (
        <p className="row-baseline gap-4">
          <Glyph {...CHECK_STATES[isBad(state) ? state : 'passed']} />
          {isLoss ? VERDICT.moreThings(things) : VERDICT.things(things)}
        </p>
      )}
      {things > 0 && (
        <ul className={styles.findings}>
          {told
            .filter((part) => isBad(part.state))
            .map(({ words }) => (
              <li key={words}>{words}</li>
            ))}
          {rules.slice(0, MAX_NAMED).map(([first, ...others]) => {
            // What is said of one alone is an example of the others.
            const isExample = others.some(({ message }) => message !== first?.message);
            return (
              <li key={first?.rule}>
                {first?.subject.name && (isExample || others.length === 0) && (
                  <code>{visibleText(first.subject.name)} </code>
                )}
                <InlineCode text={visibleText(first?.message ?? first?.title ?? '')} />{' '}
                {others.length > 0 && (
                  <span className="remark">
                    {isExample ? VERDICT.alike(others.length) : VERDICT.places(others.length + 1)}
                  </span>
                )}
              </li>
            );
          })}
          {unnamed > 0 && <li>{VERDICT.more(unnamed)}</li>}
        </ul>
      )}
      {things > 0 && (
        <div className="flex">
          <Button onPress={() => openPlace({ server: server.id, tab: 'checks' })}>
            {VERDICT.checks}
          </Button>
        </div>
      )}
    </section>
  );
}

/** Offers what one does with a server that works. */
function NextSteps({ server: { id, name, target } }: { server: ServerView }) {
  const hasTools = useLists((state) => (state.byServer[id]?.tools?.count ?? 0) > 0);
  return (
    <span className="flex wrap gap-4">
      {hasTools && (
        <Button onPress={() => openPlace({ server: id, tab: 'tools', focus: 'arguments' })}>
          {NEXT_STEPS.tryTool}
        </Button>
      )}
      {target && (
        <Button onPress={() => showDialog({ kind: 'config-sync', from: target, name })}>
          {NEXT_STEPS.copy}
        </Button>
      )}
    </span>
  );
}
