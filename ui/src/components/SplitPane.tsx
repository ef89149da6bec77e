import { Fragment, type ReactNode, useCallback, useEffect, useId, useRef, useState } from 'react';
import { Group, type Layout, Panel, Separator, useGroupRef } from 'react-resizable-panels';
import { hasNumbers } from '@/lib/objects';
import { forget, recall, remember } from '@/lib/remembered';
import { windowWidth } from '@/lib/window-size';
import styles from './split-pane.module.css';

export interface PaneSize {
  id: string;
  /** The size at the start and after a reset: pixels as a number, or `"40%"`. */
  size?: number | string;
  /** The size at the start where the panes stand below each other: `"40%"`. */
  sizeBelow?: string;
  /** Pixels. */
  min?: number;
  /** Keeps its pixels when the window changes, as lists and drawers do. */
  keepsPixels?: boolean;
}

interface SplitPaneProps {
  /** The name under which the ratio is remembered. */
  name: string;
  direction: 'row' | 'column';
  /** One for each child, in order. */
  panes: readonly PaneSize[];
  /** Panes beside each other go below each other when there are fewer pixels than this. */
  stackBelow?: number;
  children: ReactNode;
}

/**
 * Panes with lines between them that can be dragged or moved with the arrow keys. The ratio
 * is remembered; a double click on a line resets it.
 */
export function SplitPane({ name, direction, panes, stackBelow, children }: SplitPaneProps) {
  const group = useGroupRef();
  const element = useRef<HTMLDivElement>(null);
  const stacked = useIsNarrow(element, direction === 'row' ? stackBelow : undefined);
  const orientation = direction === 'row' && !stacked ? 'horizontal' : 'vertical';
  const ids = panes.map((pane) => pane.id).join('-');
  const key = `panes.${name}.${orientation}.${ids}`;
  const [start] = useState(() => new Map<string, Layout | undefined>());
  if (!start.has(key)) start.set(key, recall(key, hasNumbers));
  const prefix = `${useId()}${orientation}-`;

  const reset = useCallback(() => {
    forget(key);
  }, [key]);

  // Each keeps its place, also while one before it has nothing to show yet: in another place it
  // would be made anew, and lose the focus and what is being written.
  const content: readonly ReactNode[] = Array.isArray(children) ? children : [children];
  return (
    <div ref={element} className="min-w-0 min-h-0 w-full h-full">
      <Group
        key={`${name} ${ids}`}
        groupRef={group}
        orientation={orientation}
        className="w-full h-full"
        defaultLayout={withPrefix(start.get(key), prefix)}
        onLayoutChanged={(layout, meta) => {
          if (meta.isUserInteraction) remember(key, withoutPrefix(layout, prefix));
        }}
      >
        {panes.map((pane, index) => (
          <Fragment key={pane.id}>
            {index > 0 && (
              <Separator
                className={styles.separator}
                aria-label={`Resize ${pane.id}`}
                onDoubleClick={reset}
              />
            )}
            <Panel
              id={prefix + panelId(pane.id)}
              className="min-w-0 min-h-0 w-full h-full overflow-hidden"
              defaultSize={stacked ? pane.sizeBelow : pane.size}
              minSize={stacked ? 80 : (pane.min ?? 80)}
              groupResizeBehavior={
                pane.keepsPixels && !stacked ? 'preserve-pixel-size' : 'preserve-relative-size'
              }
            >
              {content[index]}
            </Panel>
          </Fragment>
        ))}
      </Group>
    </div>
  );
}

/** Ids in a document have no spaces. */
function panelId(name: string): string {
  return name.replaceAll(' ', '-');
}

/**
 * Panel ids have to be unique in the document, and a layout is that of some ids: beside and below
 * each other, the same panes have two. Names in storage must not change.
 */
function withPrefix(layout: Layout | undefined, prefix: string): Layout | undefined {
  if (!layout) return undefined;
  return Object.fromEntries(Object.entries(layout).map(([id, share]) => [prefix + id, share]));
}

function withoutPrefix(layout: Layout, prefix: string): Layout {
  return Object.fromEntries(
    Object.entries(layout).map(([id, share]) => [id.slice(prefix.length), share]),
  );
}

function useIsNarrow(element: React.RefObject<HTMLElement | null>, limit: number | undefined) {
  const [narrow, setNarrow] = useState(() => limit !== undefined && windowWidth() < limit);
  useEffect(() => {
    const observed = element.current;
    if (!observed || limit === undefined) return;
    const observer = new ResizeObserver(([entry]) => {
      const width = entry?.contentRect.width ?? 0;
      if (width > 0) setNarrow(width < limit);
    });
    observer.observe(observed);
    return () => observer.disconnect();
  }, [element, limit]);
  return limit !== undefined && narrow;
}
