import { useState } from 'react';
import type { ConflictView } from '@/backend/bindings';
import { Segmented } from '@/components/Segmented';
import styles from './change.module.css';
import { DiffView } from './DiffView';

type Side = 'difference' | 'theirs' | 'mine';

/** A file that changed meanwhile: both texts, and their differences. */
export function ConflictPane({ files }: { files: readonly ConflictView[] }) {
  const [side, setSide] = useState<Side>('difference');
  return (
    <div className={styles.plan}>
      <p role="alert" className={styles.warning}>
        <span aria-hidden="true">▲ </span>
        {files.length === 1 ? 'This file was' : 'These files were'} changed by another program after
        you looked. Nothing has been written.
      </p>
      <div>
        <Segmented
          label="Text"
          value={side}
          onChange={setSide}
          segments={[
            { value: 'difference', label: 'Difference' },
            { value: 'theirs', label: 'On disk now' },
            { value: 'mine', label: 'Yours' },
          ]}
        />
      </div>
      {files.map((file) => (
        <div key={file.path} className={styles.file}>
          <h3 className={styles.fileTitle}>
            <code>{file.path}</code>
          </h3>
          {side === 'difference' ? (
            <DiffView diff={file.diff} label={`From disk to yours, ${file.path}`} />
          ) : (
            // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region has to be reachable.
            <pre className={styles.text} tabIndex={0}>
              {side === 'theirs' ? file.now : file.mine}
            </pre>
          )}
        </div>
      ))}
    </div>
  );
}
