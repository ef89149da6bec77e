import type { ReactNode } from 'react';
import { Group, type Layout, Panel, Separator, useGroupRef } from 'react-resizable-panels';
import { forget, recall, remember } from '@/lib/remembered';
import { DETAIL } from '../texts';
import styles from './traffic-drawer.module.css';

const NAME = 'traffic.detail';
const FIRST_SHARE = 42;

interface DetailSplitProps {
  readonly table: ReactNode;
  readonly detail: ReactNode;
  /** True if there is room for both beside each other. */
  readonly isWide: boolean;
}

/**
 * The rows and, when there is one, a detail beside or over them. The rows stay mounted in either
 * case, so that they keep their place and the focus.
 */
export function DetailSplit({ table, detail, isWide }: DetailSplitProps) {
  const group = useGroupRef();
  const isBeside = isWide && Boolean(detail);
  const isCovered = !isWide && Boolean(detail);
  const share = recall(NAME, isShare) ?? FIRST_SHARE;

  const keep = (layout: Layout) => {
    if (layout.detail !== undefined) remember(NAME, layout.detail);
  };

  const reset = () => {
    forget(NAME);
    group.current?.setLayout({ rows: 100 - FIRST_SHARE, detail: FIRST_SHARE });
  };

  return (
    <div className="fill min-w-0 relative">
      <Group
        groupRef={group}
        orientation="horizontal"
        className={styles.split}
        data-covered={isCovered || undefined}
        onLayoutChanged={(layout, meta) => {
          if (meta.isUserInteraction) keep(layout);
        }}
      >
        <Panel id="rows" className="min-w-0 min-h-0 w-full h-full overflow-hidden" minSize={320}>
          {table}
        </Panel>
        {isBeside && (
          <>
            <Separator
              className={styles.separator}
              aria-label={DETAIL.resize}
              onDoubleClick={reset}
            />
            <Panel
              id="detail"
              className="min-w-0 min-h-0 w-full h-full overflow-hidden"
              defaultSize={`${share}%`}
              minSize={300}
            >
              {detail}
            </Panel>
          </>
        )}
      </Group>
      {isCovered && <div className={styles.cover}>{detail}</div>}
    </div>
  );
}

function isShare(value: unknown): value is number {
  return typeof value === 'number' && value > 0 && value < 100;
}
