import { useState } from 'react';
import { useBackend } from '@/backend/backend';
import { Button } from '@/components/Button';
import { visibleText } from '@/lib/visible-text';
import type { ServerFinding } from '@/state/checks/findings';
import { useSurfaces } from '@/state/checks/surfaces';
import { useServerFindings, useSurface } from '@/state/checks/verdict';
import { useNavigation } from '@/state/navigation';
import { showError } from '@/state/notices';
import { FindingList } from '@/widgets/findings/FindingList';
import { Place } from '@/widgets/surface-changes/ChangeList';
import { type PaneProps, Part } from './Part';
import { PART_TITLES, SURFACE } from './texts';

/** Findings that are drawn before all are asked for. */
const MAX_SHOWN = 200;

/** The faults of a server that works, over which clients and models may trip. */
export function Findings({ server, judgement }: PaneProps) {
  const backend = useBackend();
  const view = useSurface(server);
  const findings = useServerFindings(server);
  const all = findings ?? [];
  const [isAll, setAll] = useState(false);
  const ignore = (rule: string, item: string | null, isIgnored: boolean) => {
    backend
      .silenceFindings(server.id, { rule, item }, isIgnored)
      .then(useSurfaces.getState().set, showError);
  };
  return (
    <Part part="findings" judgement={judgement}>
      <FindingList
        label={PART_TITLES.findings}
        findings={isAll ? all : all.slice(0, MAX_SHOWN)}
        leads="case"
        place={({ rule, subject }) => (
          <p className="row wrap gap-2-4">
            <code className="remark">{rule}</code>
            <Place subject={subject} path={subject.path} />
          </p>
        )}
        actions={(finding) =>
          // What the connection shows is no rule that can be left out.
          view?.findings.includes(finding) ? (
            <Button
              aria-label={`${SURFACE.ignore} ${nameOf(finding)}`}
              onPress={() => ignore(finding.rule, finding.subject.name || null, true)}
            >
              {SURFACE.ignore}
            </Button>
          ) : (
            finding.rule === 'stdout' && (
              <Button
                onPress={() =>
                  useNavigation.getState().showTraffic(`server:${server.name} status:error`)
                }
              >
                {SURFACE.showMessages}
              </Button>
            )
          )
        }
      />
      {!isAll && all.length > MAX_SHOWN && (
        <Button className="self-start" onPress={() => setAll(true)}>
          {SURFACE.showAll(all.length)}
        </Button>
      )}
      {view?.silenced.map(({ rule, item }) => (
        <p key={`${rule} ${item}`} className="remark">
          <code>{rule}</code> {item !== null && visibleText(item)}{' '}
          <Button
            aria-label={`${SURFACE.showAgain} ${rule} ${visibleText(item ?? '')}`}
            onPress={() => ignore(rule, item, false)}
          >
            {SURFACE.showAgain}
          </Button>
        </p>
      ))}
    </Part>
  );
}

function nameOf({ rule, subject }: ServerFinding): string {
  return `${rule} ${visibleText(subject.name)}`;
}
