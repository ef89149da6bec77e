import type { ReactNode } from 'react';
import { formatSize } from '@/lib/format';
import { visibleText } from '@/lib/visible-text';
import styles from './result.module.css';
import { RESULT } from './texts';

interface Props {
  name: string;
  detail?: string;
  size?: number;
  onSave?(): void;
  children?: ReactNode;
}

/** The line above a block: what it is, how large, and what can be done with it. */
export function BlockHead({ name, detail, size, onSave, children }: Props) {
  return (
    <div className={styles.blockHead}>
      <bdi className="min-w-0 break-anywhere remark">{visibleText(name)}</bdi>
      <span className="faint">
        {visibleText([detail, size !== undefined && formatSize(size)].filter(Boolean).join(' · '))}
      </span>
      <span className={styles.blockActions}>
        {children}
        {onSave && (
          <button
            type="button"
            className={styles.link}
            aria-label={RESULT.saveNamed(name)}
            onClick={onSave}
          >
            {RESULT.save}
          </button>
        )}
      </span>
    </div>
  );
}
