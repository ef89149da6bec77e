import { useState } from 'react';
import { useBackend } from '@/backend/backend';
import type { ServerView, SurfaceView } from '@/backend/bindings';
import { Button } from '@/components/Button';
import { Section } from '@/components/Section';
import { visibleText } from '@/lib/visible-text';
import { useDialogs } from '@/state/dialogs';
import { showError } from '@/state/notices';
import { useSurfaces } from '@/state/servers/surfaces';
import { FindingList } from '@/widgets/findings/FindingList';
import { ChangeList } from '@/widgets/surface-changes/ChangeList';
import { Place } from '@/widgets/surface-changes/Place';
import styles from './surface.module.css';
import { SURFACE, summaryOf } from './texts';
import { useSurface } from './use-surface';

/** The changes of a server since its stored list, and the findings in it, with what to do. */
export function SurfaceSection({ server }: { server: ServerView }) {
  const view = useSurface(server);
  if (!view) return null;
  const hasAlarm = view.breaking + view.attention > 0;
  return (
    <details key={String(hasAlarm)} className={styles.surface} open={hasAlarm}>
      <summary>{SURFACE.title}</summary>
      <Changes view={view} hasAlarm={hasAlarm} />
      <FoldedFindings view={view} />
    </details>
  );
}

/** The findings, drawn once they are asked for: a server can have many. */
function FoldedFindings({ view }: { view: SurfaceView }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details className={styles.findings} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{SURFACE.findingsOf(view.findings.length)}</summary>
      {isOpen && <Findings view={view} />}
    </details>
  );
}

function Changes({ view, hasAlarm }: { view: SurfaceView; hasAlarm: boolean }) {
  const backend = useBackend();
  const [isBusy, setBusy] = useState(false);
  const run = async (action: () => Promise<SurfaceView>) => {
    setBusy(true);
    try {
      useSurfaces.getState().set(await action());
    } catch (reason) {
      showError(reason);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Section
      title={SURFACE.changes}
      aside={
        <div className="row wrap gap-2-4">
          {hasAlarm && (
            <>
              <Button
                variant="primary"
                isDisabled={isBusy}
                onPress={() => void run(() => backend.acceptSurface(view.server))}
              >
                {SURFACE.accept}
              </Button>
              {!view.isPinned && (
                <Button
                  isDisabled={isBusy}
                  onPress={() => void run(() => backend.rejectSurface(view.server))}
                >
                  {SURFACE.keep}
                </Button>
              )}
            </>
          )}
          <Button
            isDisabled={isBusy}
            onPress={() => void run(() => backend.pinSurface(view.server))}
          >
            {SURFACE.pin}
          </Button>
          <Button
            onPress={() =>
              useDialogs.getState().show({ kind: 'compare-server', server: view.server })
            }
          >
            {SURFACE.compare}
          </Button>
        </div>
      }
    >
      <p className="remark">{baseOf(view)}</p>
      <p>{view.changes.length > 0 ? summaryOf(view) : SURFACE.none}</p>
      {view.isPossibleRugPull && <p className={styles.warning}>{SURFACE.rugPull}</p>}
      <ChangeList changes={view.changes} leftOut={view.leftOut} />
    </Section>
  );
}

function Findings({ view }: { view: SurfaceView }) {
  const backend = useBackend();
  const silence = (rule: string, item: string | null, isSilenced: boolean) => {
    backend
      .silenceFindings(view.server, { rule, item }, isSilenced)
      .then(useSurfaces.getState().set, showError);
  };
  return (
    <Section title={SURFACE.findings}>
      {view.findings.length === 0 && <p className="remark">{SURFACE.noFindings}</p>}
      <FindingList
        label={SURFACE.findings}
        findings={view.findings}
        leads="case"
        place={({ rule, subject }) => (
          <p className="row wrap gap-2-4">
            <code className="remark">{rule}</code>
            <Place subject={subject} path={subject.path} />
          </p>
        )}
        actions={({ rule, subject }) => (
          <Button
            aria-label={`${SURFACE.silence} ${rule} ${visibleText(subject.name)}`}
            onPress={() => silence(rule, subject.name || null, true)}
          >
            {SURFACE.silence}
          </Button>
        )}
      />
      {view.silenced.map(({ rule, item }) => (
        <p key={`${rule} ${item}`} className="remark">
          <code>{rule}</code> {item !== null && visibleText(item)}{' '}
          <Button
            aria-label={`${SURFACE.unsilence} ${rule} ${visibleText(item ?? '')}`}
            onPress={() => silence(rule, item, false)}
          >
            {SURFACE.unsilence}
          </Button>
        </p>
      ))}
    </Section>
  );
}

function baseOf(view: SurfaceView): string {
  if (view.stored === null) return SURFACE.notStored;
  const date = new Date(view.stored).toLocaleString();
  return view.isPinned ? SURFACE.pinned(date) : SURFACE.stored(date);
}
