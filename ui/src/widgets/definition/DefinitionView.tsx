import { Suspense, useMemo, useState } from 'react';
import type { DefinitionChanges } from '@/backend/bindings';
import { Button } from '@/components/Button';
import { Segmented } from '@/components/Segmented';
import { copyText } from '@/lib/clipboard';
import { lazyComponent } from '@/lib/lazy-component';
import { visibleLines, visibleText } from '@/lib/visible-text';
import { showError, showNote } from '@/state/notices';
import { JsonView } from '@/widgets/json-view/JsonView';
import { ChangeList } from '@/widgets/surface-changes/ChangeList';
import styles from './definition.module.css';
import { type DefinitionIcon, iconsOf } from './icons';
import { CHANGED_SINCE, DEFINITION } from './texts';

// The difference of texts brings an editor along, which most definitions never need.
const TextDifference = lazyComponent(
  () => import('@/widgets/surface-changes/TextDifference'),
  'TextDifference',
);

/** The longest text that is shown as it was sent, in characters. */
const MAX_SHOWN = 512 * 1024;

const VIEWS = [
  { value: 'tree', label: DEFINITION.tree },
  { value: 'sent', label: DEFINITION.asSent },
] as const;

interface Props {
  /** The definition exactly as the server sent it. */
  json: string;
  changes: DefinitionChanges | null;
}

/** A definition, whole: what changed in it, its icons, and all of its members. */
export function DefinitionView({ json, changes }: Props) {
  const [view, setView] = useState<'tree' | 'sent'>('tree');
  const icons = useMemo(() => iconsOf(json), [json]);
  const copy = () => copyText(json).then(() => showNote(DEFINITION.copied), showError);
  return (
    <section className={styles.definition} aria-label={DEFINITION.label}>
      {changes && <Changes changes={changes} />}
      {icons.length > 0 && <Icons icons={icons} />}
      <header className="row justify-between gap-4">
        <Segmented label={DEFINITION.view} segments={VIEWS} value={view} onChange={setView} />
        <Button variant="quiet" onPress={() => void copy()}>
          {DEFINITION.copy}
        </Button>
      </header>
      {view === 'tree' ? (
        <JsonView text={json} label={DEFINITION.json} />
      ) : (
        <>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region has to be reachable. */}
          <section className={styles.sent} aria-label={DEFINITION.json} tabIndex={0}>
            {visibleLines(json.slice(0, MAX_SHOWN))}
          </section>
          {json.length > MAX_SHOWN && <p className="remark">▲ {DEFINITION.cut}</p>}
        </>
      )}
    </section>
  );
}

function Changes({ changes: { base, before, after, difference } }: { changes: DefinitionChanges }) {
  return (
    <section className={styles.changes} aria-label={DEFINITION.changes}>
      <h3>{DEFINITION.changes}</h3>
      <p className="remark">{CHANGED_SINCE[base]}</p>
      {difference.changes.length === 0 && <p>{DEFINITION.textOnly}</p>}
      <ChangeList changes={difference.changes} leftOut={difference.leftOut} />
      <h3>{DEFINITION.text}</h3>
      <div className="frame">
        <Suspense>
          <TextDifference
            before={visibleLines(before)}
            after={visibleLines(after)}
            label={DEFINITION.text}
          />
        </Suspense>
      </div>
    </section>
  );
}

function Icons({ icons }: { icons: readonly DefinitionIcon[] }) {
  return (
    <ul className={styles.icons} aria-label={DEFINITION.icons}>
      {icons.map(({ src, facts, isInline }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two icons may be alike, and none moves
        <li key={index}>
          {isInline ? (
            <img className={styles.icon} src={src} alt={DEFINITION.icon} />
          ) : (
            <span className="min-w-0 break-anywhere remark">
              <code>{visibleText(src.slice(0, 300))}</code> {DEFINITION.remoteIcon}
            </span>
          )}
          <span className="remark">{visibleText(facts)}</span>
        </li>
      ))}
    </ul>
  );
}
