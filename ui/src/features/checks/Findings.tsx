import { useId, useState } from 'react';
import { useBackend } from '@/backend/backend';
import type { Silence } from '@/backend/bindings';
import { Button } from '@/components/Button';
import { InlineCode } from '@/components/InlineCode';
import { formatCount } from '@/lib/format';
import { visibleText } from '@/lib/visible-text';
import { byRule, type ServerFinding } from '@/state/checks/findings';
import { useSurfaces } from '@/state/checks/surfaces';
import { useServerFindings, useSurface } from '@/state/checks/verdict';
import { showTraffic } from '@/state/navigation';
import { showError, showNote } from '@/state/notices';
import { FindingList } from '@/widgets/findings/FindingList';
import { Place } from '@/widgets/surface-changes/ChangeList';
import { type PaneProps, Part } from './Part';
import { SURFACE } from './surface-texts';

/** Findings that are drawn before all are asked for. */
const MAX_SHOWN = 200;

/** The faults of a server that works, over which clients and models may trip. */
export function Findings({ server, judgement }: PaneProps) {
  const backend = useBackend();
  const view = useSurface(server);
  const findings = useServerFindings(server);
  const all = findings ?? [];
  const [isAll, setAll] = useState(false);
  const silence = (wanted: Silence, isSilenced: boolean) =>
    backend.silenceFindings(server.id, wanted, isSilenced).then(useSurfaces.getState().set);
  const showAgain = (ignored: Silence) => void silence(ignored, false).catch(showError);
  const ignore = (rule: string, item: string | null) => {
    const isMeant = (one: ServerFinding) =>
      one.rule === rule && (item === null || one.subject.name === item);
    const done = SURFACE.ignored(all.filter(isMeant).length, rule);
    const undo = { label: SURFACE.undo, run: () => showAgain({ rule, item }) };
    silence({ rule, item }, true).then(() => showNote(done, undo), showError);
  };
  const silenced = view?.silenced ?? [];
  return (
    <Part part="findings" judgement={judgement}>
      {byRule(isAll ? all : all.slice(0, MAX_SHOWN)).map((findings) => (
        <Rule
          key={findings[0]?.rule}
          findings={findings}
          // What the connection shows is no rule that can be left out.
          onIgnore={
            view?.findings.some(({ rule }) => rule === findings[0]?.rule)
              ? (item) => ignore(findings[0]?.rule ?? '', item)
              : null
          }
          onShowMessages={() => showTraffic(`server:${server.name} status:error`)}
        />
      ))}
      {!isAll && all.length > MAX_SHOWN && (
        <Button className="self-start" onPress={() => setAll(true)}>
          {SURFACE.showAll(all.length)}
        </Button>
      )}
      {silenced.length > 0 && (
        <details>
          <summary className="remark">
            {SURFACE.allIgnored(silenced.reduce((sum, { count }) => sum + count, 0))}
          </summary>
          {silenced.map(({ silence: { rule, item }, count }) => (
            <p key={`${rule} ${item}`} className="remark">
              <code>{rule}</code> {item !== null && visibleText(item)}{' '}
              <span className="figures">{formatCount(count)}</span>{' '}
              <Button
                aria-label={`${SURFACE.showAgain} ${rule} ${visibleText(item ?? '')}`}
                onPress={() => showAgain({ rule, item })}
              >
                {SURFACE.showAgain}
              </Button>
            </p>
          ))}
        </details>
      )}
    </Part>
  );
}

interface RuleProps {
  /** The findings of one rule, at least one. */
  findings: readonly ServerFinding[];
  /** Leaves the rule out for an item, or for all; null where it cannot be left out. */
  onIgnore: ((item: string | null) => void) | null;
  onShowMessages: () => void;
}

/** The findings of a rule, below what the rule says. */
function Rule({ findings, onIgnore, onShowMessages }: RuleProps) {
  const { rule, title } = findings[0] ?? { rule: '', title: '' };
  const headingId = useId();
  return (
    <section aria-labelledby={headingId}>
      <div className="row wrap justify-between gap-4">
        <h3 id={headingId} className="row-baseline wrap gap-2-4">
          <InlineCode text={visibleText(title)} /> <code className="regular remark">{rule}</code>
          {findings.length > 1 && (
            <span className="regular remark figures">{formatCount(findings.length)}</span>
          )}
        </h3>
        {findings.length > 1 && onIgnore && (
          <Button aria-label={`${SURFACE.ignoreAll} ${rule}`} onPress={() => onIgnore(null)}>
            {SURFACE.ignoreAll}
          </Button>
        )}
      </div>
      <FindingList
        findings={findings}
        leads="case-alone"
        place={({ subject }) => <Place subject={subject} path={subject.path} />}
        actions={({ subject }) =>
          onIgnore ? (
            <Button
              aria-label={`${SURFACE.ignore} ${rule} ${visibleText(subject.name)}`}
              onPress={() => onIgnore(subject.name || null)}
            >
              {SURFACE.ignore}
            </Button>
          ) : (
            rule === 'stdout' && <Button onPress={onShowMessages}>{SURFACE.showMessages}</Button>
          )
        }
      />
    </section>
  );
}
