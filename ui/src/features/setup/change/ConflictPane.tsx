import { useState } from 'react';
import type { ConflictView } from '@/backend/bindings';
import { Caution } from '@/components/Caution';
import { Confirmed } from '@/components/Confirmed';
import { Segmented } from '@/components/Segmented';
import { entirelyVisible } from '@/lib/visible-text';
import styles from './change.module.css';
import { DiffView } from './DiffView';
import { CONFLICT } from './texts';

type Side = 'difference' | 'theirs' | 'mine';

/** A file that changed meanwhile: both texts, and their differences. */
export function ConflictPane({ files }: { files: readonly ConflictView[] }) {
  const [side, setSide] = useState<Side>('difference');
  return (
    <div className="stack gap-7 min-w-0">
      <Caution role="alert">{CONFLICT.meanwhile(files.length)}</Caution>
      <div>
        <Segmented
          label={CONFLICT.text}
          value={side}
          onChange={setSide}
          segments={[
            { value: 'difference', label: CONFLICT.difference },
            { value: 'theirs', label: CONFLICT.theirs },
            { value: 'mine', label: CONFLICT.mine },
          ]}
        />
      </div>
      {files.map((file) => (
        <div key={file.path} className="stack gap-3 min-w-0">
          <h3 className="row-baseline gap-3 break-anywhere medium">
            <Confirmed text={file.path} />
          </h3>
          {side === 'difference' ? (
            <DiffView diff={file.diff} label={CONFLICT.diffOf(entirelyVisible(file.path))} />
          ) : (
            // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region has to be reachable.
            <pre className={styles.text} tabIndex={0}>
              <Confirmed text={side === 'theirs' ? file.now : file.mine} isLines />
            </pre>
          )}
        </div>
      ))}
    </div>
  );
}
