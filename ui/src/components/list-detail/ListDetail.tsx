import { ChevronLeft } from 'lucide-react';
import { type ReactNode, type SyntheticEvent, useLayoutEffect, useRef, useState } from 'react';
import { Button } from '@/components/Button';
import { type PaneSize, SplitPane } from '@/components/SplitPane';
import styles from './list-detail.module.css';

interface Props {
  /** The name under which the ratio of the panes is remembered. */
  name: string;
  /** One for each child, in order: the list, and what is shown of the selected item. */
  panes: readonly PaneSize[];
  children: ReactNode;
}

/** The sizes of a list, of the arguments of what is chosen in it, and of what comes of a call. */
export const CALL_PANES = [
  { id: 'list', size: 290, min: 160, keepsPixels: true },
  { id: 'arguments', size: 380, min: 260, keepsPixels: true },
  { id: 'result', min: 260 },
] as const;

/**
 * The width below which the panes stand below each other, in pixels; the stylesheet says the same.
 */
const STACK_BELOW = 700;

/**
 * A list and what belongs to its selected item. Stacked in a low window, the whole scrolls: to the
 * item that is pressed, or opened by Enter, and back to the list by a button or Escape.
 */
export function ListDetail({ name, panes, children }: Props) {
  const frame = useRef<HTMLDivElement>(null);
  /** Number of items that were opened since the list was last in view. */
  const [opened, setOpened] = useState(0);
  useLayoutEffect(() => {
    const [, detail] = panelsOf(frame.current);
    if (opened === 0 || !frame.current || !detail) return;
    const { top } = frame.current.getBoundingClientRect();
    frame.current.scrollTop += detail.getBoundingClientRect().top - top;
  }, [opened]);
  const open = ({ currentTarget, target }: SyntheticEvent) => {
    const isInList = panelsOf(frame.current)[0]?.contains(target as Node);
    const isStacked = currentTarget.scrollHeight > currentTarget.clientHeight;
    if (isInList && isStacked) setOpened((count) => count + 1);
  };
  const back = () => {
    const [list] = panelsOf(frame.current);
    if (frame.current) frame.current.scrollTop = 0;
    setOpened(0);
    list?.querySelector<HTMLElement>('[role="listbox"]')?.focus({ preventScroll: true });
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape steps outward from whatever is inside.
    <div
      className="stack min-w-0 h-full"
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || event.defaultPrevented || opened === 0) return;
        event.preventDefault();
        event.stopPropagation();
        back();
      }}
    >
      {opened > 0 && (
        <div className="bar pad-x-4 pad-y-2">
          <Button variant="quiet" onPress={back}>
            <ChevronLeft size={14} aria-hidden="true" />
            Back to the list
          </Button>
        </div>
      )}
      <div
        ref={frame}
        className={styles.frame}
        // Rows keep both to themselves.
        onClickCapture={(event) => {
          if ((event.target as Element).closest(ITEM)) open(event);
        }}
        onKeyDownCapture={(event) => {
          const list = (event.target as Element).closest('[role="listbox"]');
          if (event.key === 'Enter' && list?.querySelector(ITEM_AT_HAND)) open(event);
        }}
        onScroll={(event) => {
          if (event.currentTarget.scrollTop === 0) setOpened(0);
        }}
      >
        <div className={styles.panes} data-panes={panes.length}>
          <SplitPane name={name} direction="row" panes={panes} stackBelow={STACK_BELOW}>
            {children}
          </SplitPane>
        </div>
      </div>
    </div>
  );
}

/** Rows that open something: one that folds shows more of the list. */
const ITEM = '[role="option"]:not([data-folds])';
const ITEM_AT_HAND = `${ITEM}[data-active], ${ITEM}:focus`;

/** The panes of a frame in order, and then those that are inside of them. */
function panelsOf(frame: HTMLElement | null): HTMLElement[] {
  return [...(frame?.querySelectorAll<HTMLElement>('[data-panel]') ?? [])];
}
