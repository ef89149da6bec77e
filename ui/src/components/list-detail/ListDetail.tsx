import { ChevronLeft } from 'lucide-react';
import {
  type ReactNode,
  type SyntheticEvent,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { Button } from '@/components/Button';
import { type PaneSize, SplitPane } from '@/components/SplitPane';
import { showWhole } from '@/components/show-whole';
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
  { id: 'list', size: 290, sizeBelow: '24%', min: 160, keepsPixels: true },
  { id: 'arguments', size: 380, sizeBelow: '42%', min: 260, keepsPixels: true },
  { id: 'result', sizeBelow: '34%', min: 260 },
] as const;

/**
 * The width below which the panes stand below each other, in pixels; the stylesheet says the same.
 */
const STACK_BELOW = 700;

/**
 * A list and what belongs to its selected item. Stacked in a low window, the whole scrolls: to the
 * item that is pressed, or opened by Enter, and back to the list by a button or Escape. A window that
 * is made low shows what was used last: the item, and what its call brought or asks.
 */
export function ListDetail({ name, panes, children }: Props) {
  const frame = useRef<HTMLDivElement>(null);
  /** Number of items that were opened since the list was last in view. */
  const [opened, setOpened] = useState(0);
  /** True while an item is used rather than the list. */
  const isAtItem = useRef(false);
  /** True from the moment at which the panes have no room beside each other any more. */
  const isLowered = useRef(false);
  useLayoutEffect(() => {
    const [, detail] = panelsOf(frame.current);
    if (opened === 0 || !frame.current || !detail) return;
    const { top } = frame.current.getBoundingClientRect();
    frame.current.scrollTop += detail.getBoundingClientRect().top - top;
    const outcome = frame.current.querySelector<HTMLElement>('[data-result="run"]');
    const isShown = isLowered.current && outcome !== null;
    isLowered.current = false;
    return isShown ? showWhole(outcome) : undefined;
  }, [opened]);
  useEffect(() => {
    const { current } = frame;
    if (!current) return;
    let wasStacked = isStacked(current);
    const observer = new ResizeObserver(() => {
      const isLow = isStacked(current);
      isLowered.current = isLow && !wasStacked && isAtItem.current;
      wasStacked = isLow;
      if (isLowered.current) setOpened((count) => count + 1);
    });
    observer.observe(current);
    return () => observer.disconnect();
  }, []);
  const open = ({ currentTarget, target }: SyntheticEvent) => {
    if (!panelsOf(frame.current)[0]?.contains(target as Node)) return;
    isAtItem.current = true;
    if (isStacked(currentTarget)) setOpened((count) => count + 1);
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
        onFocusCapture={({ target }) => {
          isAtItem.current = !panelsOf(frame.current)[0]?.contains(target);
        }}
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

/** Tells whether the panes stand below each other, and not all of them is in view. */
function isStacked({ scrollHeight, clientHeight }: Element): boolean {
  return scrollHeight > clientHeight;
}

/** Rows that open something: one that folds shows more of the list. */
const ITEM = '[role="option"]:not([data-folds])';
const ITEM_AT_HAND = `${ITEM}[data-active], ${ITEM}:focus`;

/** The panes of a frame in order, and then those that are inside of them. */
function panelsOf(frame: HTMLElement | null): HTMLElement[] {
  return [...(frame?.querySelectorAll<HTMLElement>('[data-panel]') ?? [])];
}
