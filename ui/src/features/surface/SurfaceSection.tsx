import { Suspense, useState } from 'react';
import { useBackend } from '@/backend/backend';
import type { Finding, ServerView, Subject, SurfaceChange, SurfaceView } from '@/backend/bindings';
import { Button } from '@/components/Button';
import { Glyph } from '@/components/Glyph';
import { Section } from '@/components/Section';
import { lazyComponent } from '@/lib/lazy-component';
import { visibleLines, visibleText } from '@/lib/visible-text';
import { showError } from '@/state/notices';
import { useSurfaces } from '@/state/surfaces';
import styles from './surface.module.css';
import { CLASSES, PARTS, SURFACE, summaryOf } from './texts';
import { useSurface } from './use-surface';

// The difference of texts brings an editor along, which most servers never need.
const TextDifference = lazyComponent(() => import('./TextDifference'), 'TextDifference');

/** Changes up to which each one's difference is shown without being asked for. */
const MAX_OPEN = 20;

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
        <div className={styles.actions}>
          {hasAlarm && (
            <>
              <Button
                variant="primary"
                isDisabled={isBusy}
                onPress={() => void run(() => backend.acceptSurface(view.server))}
              >
                {SURFACE.accept}
              </Button>
              {!view.is_pinned && (
                <Button
                  isDisabled={isBusy}
                  onPress={() => void run(() => backend.keepSurfaceAlarm(view.server))}
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
        </div>
      }
    >
      <p className={styles.remark}>{baseOf(view)}</p>
      <p>{view.changes.length > 0 ? summaryOf(view) : SURFACE.none}</p>
      {view.is_possible_rug_pull && <p className={styles.warning}>{SURFACE.rugPull}</p>}
      {view.changes.length > 0 && (
        <ul className={styles.rows} aria-label={SURFACE.changes}>
          {view.changes.map((change) => (
            <Change key={keyOf(change)} change={change} isOpen={view.changes.length <= MAX_OPEN} />
          ))}
        </ul>
      )}
      {view.left_out > 0 && <p className={styles.remark}>{SURFACE.leftOut(view.left_out)}</p>}
    </Section>
  );
}

function Change({ change, isOpen }: { change: SurfaceChange; isOpen: boolean }) {
  const [isShown, setShown] = useState(isOpen);
  const { label, glyph, tone } = CLASSES[change.class];
  return (
    <li className={styles.row}>
      <div className={styles.heading}>
        <Glyph glyph={glyph} tone={tone} />
        <span className={styles.label}>{label}</span>
        <Place subject={change.subject} path={change.path} />
        <code className={styles.rule}>{change.rule}</code>
      </div>
      <p className={styles.remark}>{visibleText(change.explanation)}</p>
      {isShown ? (
        <Difference change={change} />
      ) : (
        <Button onPress={() => setShown(true)}>{SURFACE.difference}</Button>
      )}
    </li>
  );
}

function Difference({ change: { before, after, subject, path } }: { change: SurfaceChange }) {
  if (before !== null && after !== null) {
    return (
      <div className={styles.difference}>
        <Suspense>
          <TextDifference
            before={visibleLines(before)}
            after={visibleLines(after)}
            label={`${SURFACE.difference}: ${visibleText(subject.name)} ${visibleText(path)}`}
          />
        </Suspense>
      </div>
    );
  }
  return (
    <>
      {before !== null && (
        <section className={styles.removed} aria-label={SURFACE.before}>
          <span className={styles.sign}>{SURFACE.before}</span>
          {visibleLines(before)}
        </section>
      )}
      {after !== null && (
        <section className={styles.added} aria-label={SURFACE.after}>
          <span className={styles.sign}>{SURFACE.after}</span>
          {visibleLines(after)}
        </section>
      )}
    </>
  );
}

function Findings({ view }: { view: SurfaceView }) {
  const backend = useBackend();
  const silence = (finding: Pick<Finding, 'rule'>, item: string | null, isSilenced: boolean) => {
    backend
      .silenceFindings(view.server, { rule: finding.rule, item }, isSilenced)
      .then(useSurfaces.getState().set, showError);
  };
  return (
    <Section title={SURFACE.findings}>
      {view.findings.length === 0 && <p className={styles.remark}>{SURFACE.noFindings}</p>}
      {view.findings.length > 0 && (
        <ul className={styles.rows} aria-label={SURFACE.findings}>
          {view.findings.map((finding) => (
            <li
              key={`${finding.rule} ${finding.subject.name} ${finding.path}`}
              className={styles.row}
            >
              <div className={styles.heading}>
                <code className={styles.rule}>{finding.rule}</code>
                <Place subject={finding.subject} path={finding.path} />
                <Button
                  aria-label={`${SURFACE.silence} ${finding.rule} ${visibleText(finding.subject.name)}`}
                  onPress={() => silence(finding, finding.subject.name || null, true)}
                >
                  {SURFACE.silence}
                </Button>
              </div>
              <p>
                {visibleText(finding.message)} <span className={styles.remark}>{finding.why}</span>
              </p>
            </li>
          ))}
        </ul>
      )}
      {view.silenced.map(({ rule, item }) => (
        <p key={`${rule} ${item}`} className={styles.remark}>
          <code>{rule}</code> {item !== null && visibleText(item)}{' '}
          <Button
            aria-label={`${SURFACE.unsilence} ${rule} ${visibleText(item ?? '')}`}
            onPress={() => silence({ rule }, item, false)}
          >
            {SURFACE.unsilence}
          </Button>
        </p>
      ))}
    </Section>
  );
}

function Place({ subject, path }: { subject: Subject; path: string }) {
  return (
    <span className={styles.place}>
      {PARTS[subject.part]} {subject.name !== '' && <code>{visibleText(subject.name)}</code>}{' '}
      {path !== '' && <code className={styles.path}>{visibleText(path)}</code>}
    </span>
  );
}

function baseOf(view: SurfaceView): string {
  if (view.stored === null) return SURFACE.notStored;
  const date = new Date(view.stored).toLocaleString();
  return view.is_pinned ? SURFACE.pinned(date) : SURFACE.stored(date);
}

function keyOf({ rule, subject, path, before, after }: SurfaceChange): string {
  return `${rule} ${subject.part} ${subject.name} ${path} ${before} ${after}`;
}
