import { Suspense, useState } from 'react';
import type { Subject, SurfaceChange } from '@/backend/bindings';
import { Button } from '@/components/Button';
import { Glyph } from '@/components/Glyph';
import { InlineCode } from '@/components/InlineCode';
import { lazyComponent } from '@/lib/lazy-component';
import { visibleLines, visibleText } from '@/lib/visible-text';
import styles from './surface-changes.module.css';
import { CHANGES, CLASSES, PARTS } from './texts';

// The difference of texts brings an editor along, which most servers never need.
const TextDifference = lazyComponent(() => import('./TextDifference'), 'TextDifference');

/** Changes up to which each one's difference is shown without being asked for. */
const MAX_OPEN = 20;

interface ChangeListProps {
  changes: readonly SurfaceChange[];
  /** Number of changes that are not in the list. */
  leftOut: number;
}

/** Changes of a surface, each with its class, its rule and its difference. */
export function ChangeList({ changes, leftOut }: ChangeListProps) {
  if (changes.length === 0) return null;
  return (
    <>
      <ul className="stack plain-list" aria-label={CHANGES.changes}>
        {changes.map((change) => (
          <Change key={keyOf(change)} change={change} isOpen={changes.length <= MAX_OPEN} />
        ))}
      </ul>
      {leftOut > 0 && <p className="remark">{CHANGES.leftOut(leftOut)}</p>}
    </>
  );
}

function Change({ change, isOpen }: { change: SurfaceChange; isOpen: boolean }) {
  const [isShown, setShown] = useState(isOpen);
  const { label, glyph, tone } = CLASSES[change.class];
  return (
    <li className="p-0 pad-y-4 edge-top">
      <div className="row wrap gap-2-4">
        <Glyph glyph={glyph} tone={tone} />
        <span className={styles.label}>{label}</span>
        <Place subject={change.subject} path={change.path} />
        <code className="remark">{change.rule}</code>
        {!isShown && (
          <Button variant="quiet" className={styles.show} onPress={() => setShown(true)}>
            {CHANGES.difference}
          </Button>
        )}
      </div>
      <p className="remark">
        <InlineCode text={visibleText(change.explanation)} />
      </p>
      {isShown && <Difference change={change} />}
    </li>
  );
}

function Difference({ change: { before, after, subject, path } }: { change: SurfaceChange }) {
  if (before !== null && after !== null) {
    return (
      <div className="mt-2 frame">
        <Suspense>
          <TextDifference
            before={visibleLines(before)}
            after={visibleLines(after)}
            label={`${CHANGES.difference}: ${visibleText(subject.name)} ${visibleText(path)}`}
          />
        </Suspense>
      </div>
    );
  }
  return (
    <>
      {before !== null && (
        <section className={styles.removed} aria-label={CHANGES.before}>
          <span className="block unselectable remark">{CHANGES.before}</span>
          {visibleLines(before)}
        </section>
      )}
      {after !== null && (
        <section className={styles.added} aria-label={CHANGES.after}>
          <span className="block unselectable remark">{CHANGES.after}</span>
          {visibleLines(after)}
        </section>
      )}
    </>
  );
}

function keyOf({ rule, subject, path, before, after }: SurfaceChange): string {
  return `${rule} ${subject.part} ${subject.name} ${path} ${before} ${after}`;
}

/** A thing on a surface, and a place in it. */
export function Place({ subject, path }: { subject: Subject; path: string }) {
  return (
    <span className="break-anywhere">
      {PARTS[subject.part]} {subject.name !== '' && <code>{visibleText(subject.name)}</code>}{' '}
      {path !== '' && <code className="remark">{visibleText(path)}</code>}
    </span>
  );
}
