import { Maximize2, ZoomIn, ZoomOut } from 'lucide-react';
import {
  type KeyboardEvent,
  memo,
  type PointerEvent,
  type ReactNode,
  type RefObject,
  useCallback,
  useEffect,
  useId,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import { useBackend } from '@/backend/backend';
import type {
  ExchangeId,
  ExchangeRow,
  TimelineLanes,
  TimelineStep,
  TrafficQuery,
} from '@/backend/bindings';
import { asCommandError } from '@/backend/error';
import { Button, IconButton } from '@/components/Button';
import { EmptyState } from '@/components/EmptyState';
import { useHeight, useWidth } from '@/components/use-width';
import { visibleText } from '@/lib/visible-text';
import { useAction } from '@/state/actions';
import { showError } from '@/state/notices';
import { useRecordStore } from '@/state/record/recording';
import { operationStatus } from '../operations/operation-texts';
import { timeText } from '../operations/operation-time';
import type { RowsInView } from '../rows/record-rows';
import { serverName } from '../rows/row-words';
import { useRows } from '../rows/use-record-rows';
import { useNow } from '../rows/waterfall';
import { BAR, EMPTY } from '../texts';
import { surfaceOf } from './canvas';
import { AXIS, drawPlot, type Hit, hitAt } from './draw';
import { HoverCard } from './HoverCard';
import { Minimap } from './Minimap';
import { usePalette } from './palette';
import { TimelineNames, TimelineParts } from './TimelineParts';
import styles from './timeline.module.css';
import { TimelineModel } from './timeline-model';
import { TIMELINE } from './timeline-texts';

interface TimelinePaneProps {
  /** The operations whose filter and pause it shares. */
  readonly rows: RowsInView;
  readonly selected: ExchangeId | null;
  readonly onSelect: (row: ExchangeRow) => void;
  readonly onOpen: (row: ExchangeRow) => void;
  readonly empty: ReactNode;
}

const NO_TRACKS: readonly TimelineLanes[] = [];

/** Pixels that a pointer may move in a click. */
const CLICK = 3;

const STEPS: Readonly<Record<string, TimelineStep>> = {
  ArrowLeft: 'previous',
  ArrowRight: 'next',
  ArrowUp: 'above',
  ArrowDown: 'below',
  Home: 'first',
  End: 'last',
};

/** Zooms and moves by a key; returns false for any other. */
function moveByKey(model: TimelineModel, key: string): boolean {
  switch (key.toLowerCase()) {
    case 'w':
    case '+':
    case '=':
      model.zoom(0.7);
      return true;
    case 's':
    case '-':
      model.zoom(1 / 0.7);
      return true;
    case 'a':
      model.pan(-0.15);
      return true;
    case 'd':
      model.pan(0.15);
      return true;
    case '0':
      model.fit();
      return true;
    default:
      return false;
  }
}

/** Operations as bars on lanes, over time; without any, the reason why. */
export function TimelinePane({ empty, ...props }: TimelinePaneProps) {
  const { rows } = props;
  const { model, version } = useTimeline(rows);
  const isLoaded = useRows(rows, () => rows.loaded);
  const count = useRows(rows, () => rows.count);
  // It has lines of servers and phases too, which are no calls.
  const isEmpty = isLoaded && count === 0 && model.timeline?.total === 0;
  if (isEmpty) return <div className="pane w-full surface-1">{empty}</div>;
  return <Bars {...props} model={model} version={version} />;
}

interface BarsProps extends Omit<TimelinePaneProps, 'empty'> {
  readonly model: TimelineModel;
  readonly version: number;
}

function Bars({ rows, selected, onSelect, onOpen, model, version }: BarsProps) {
  const plot = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const palette = usePalette(plot);
  const width = useWidth(plot);
  const height = useHeight(plot);
  const { now, watch } = useNow();
  const help = useId();
  const [hover, setHover] = useState<{ hit: Hit; x: number; y: number } | null>(null);
  const drag = useRef<{ x: number; y: number; isMoved: boolean } | null>(null);
  const isPaused = useRows(rows, () => rows.paused);
  const { timeline } = model;
  const detail = model.selected;

  watch(model.lanes.goesOn);
  useEffect(() => model.resize(width, Math.max(0, height - AXIS)), [model, width, height]);
  useEffect(() => {
    void model.select(selected);
  }, [model, selected]);
  useAction('traffic.latest', () => (rows.paused ? rows.resume() : model.follow()));

  // biome-ignore lint/correctness/useExhaustiveDependencies: draws again with each version.
  useEffect(() => {
    const frame = requestAnimationFrame(() => {
      const { current } = canvas;
      const surface = current && surfaceOf(current, { width, height });
      if (surface && palette) drawPlot(surface, model, palette, Date.now());
    });
    return () => cancelAnimationFrame(frame);
  }, [model, palette, version, width, height, now]);

  useWheel(
    plot,
    useCallback(
      (event: WheelEvent, x: number, wide: number) => {
        const isSideways = event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY);
        const unit = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 16 : 1;
        const distance = (isSideways ? event.deltaX || event.deltaY : event.deltaY) * unit;
        if (isSideways) model.pan(distance / wide);
        else {
          const at = model.view.from + (x / wide) * (model.view.to - model.view.from);
          model.zoom(Math.exp(Math.max(-240, Math.min(240, distance)) / 400), at);
        }
      },
      [model],
    ),
  );

  const scrollBy = useCallback(
    (distance: number) => model.scrollTo(model.scroll + distance),
    [model],
  );

  const choose = async (id: ExchangeId, opens: boolean) => {
    await model.select(id);
    const root = model.selected?.operation.root;
    if (!root) return;
    onSelect(root);
    if (opens) onOpen(root);
  };

  const press = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const step = STEPS[event.key];
    if (step !== undefined) {
      event.preventDefault();
      model
        .step(step)
        .then((id) => (id === null ? undefined : choose(id, false)))
        .catch(showError);
    } else if (event.key === 'Enter' && detail) {
      event.preventDefault();
      onSelect(detail.operation.root);
      onOpen(detail.operation.root);
    } else if (moveByKey(model, event.key)) event.preventDefault();
  };

  const placeOf = (event: { clientX: number; clientY: number; currentTarget: Element }) => {
    const box = event.currentTarget.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  };
  const move = (event: PointerEvent<HTMLDivElement>) => {
    const at = placeOf(event);
    const from = drag.current;
    if (from === null) {
      const hit = hitAt(model, at, width, Date.now());
      setHover(hit && { hit, ...at });
      return;
    }
    const isFar = Math.abs(at.x - from.x) > CLICK || Math.abs(at.y - from.y) > CLICK;
    if (!isFar && !from.isMoved) return;
    setHover(null);
    model.pan((from.x - at.x) / width);
    model.scrollTo(model.scroll + from.y - at.y);
    drag.current = { ...at, isMoved: true };
  };
  const release = (event: PointerEvent<HTMLDivElement>) => {
    const isClick = drag.current?.isMoved === false;
    drag.current = null;
    const hit = isClick ? hitAt(model, placeOf(event), width, Date.now()) : null;
    if (hit) void choose(hit.operation, false).catch(showError);
  };

  return (
    <div className="pane w-full surface-1">
      <Minimap model={model} palette={palette} width={width} />
      <div className="flex fill">
        <div className={styles.side}>
          <Tools model={model} />
          <TimelineNames
            tracks={timeline?.tracks ?? NO_TRACKS}
            scroll={model.scroll}
            height={height - AXIS}
            onScroll={scrollBy}
          />
        </div>
        <div
          ref={plot}
          className={styles.plot}
          role="application"
          aria-label={TIMELINE.label}
          aria-describedby={help}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: it is moved and zoomed by keys.
          tabIndex={0}
          data-bars={timeline?.bars.length ?? 0}
          data-bins={timeline?.bins.length ?? 0}
          data-hatched={model.lanes.hatched}
          data-from={model.view.from}
          data-to={model.view.to}
          onKeyDown={press}
          onPointerDown={(event) => {
            if (event.button !== 0) return;
            event.currentTarget.setPointerCapture(event.pointerId);
            drag.current = { ...placeOf(event), isMoved: false };
          }}
          onPointerMove={move}
          onPointerUp={release}
          onPointerCancel={() => {
            drag.current = null;
          }}
          onPointerLeave={() => setHover(null)}
          onDoubleClick={(event) => {
            const hit = hitAt(model, placeOf(event), width, Date.now());
            if (hit) void choose(hit.operation, true).catch(showError);
            else model.fit();
          }}
        >
          <canvas ref={canvas} className="block w-full h-full" />
          {hover && <HoverCard hit={hover.hit} x={hover.x} y={hover.y} width={width} />}
          {model.failure !== null && <Failure model={model} />}
          {!model.follows && !isPaused && (
            <Button className={styles.latest} onPress={() => model.follow()}>
              {BAR.latest}
            </Button>
          )}
        </div>
      </div>
      {detail && (
        <TimelineParts
          model={model}
          detail={detail}
          palette={palette}
          version={version}
          now={now}
        />
      )}
      <p id={help} className="visually-hidden">
        {TIMELINE.keys}
      </p>
      <p role="status" className="visually-hidden">
        {detail === null
          ? TIMELINE.nothingSelected
          : [
              visibleText(`${detail.operation.root.method} ${detail.operation.root.target}`),
              serverName(detail.operation.root),
              operationStatus(detail.operation)?.label,
              detail.operation.outcome === 'pending'
                ? TIMELINE.inProgress
                : timeText(detail.operation, now),
            ]
              .filter(Boolean)
              .join(', ')}
      </p>
    </div>
  );
}

/** The buttons that zoom. */
const Tools = memo(function Tools({ model }: { model: TimelineModel }) {
  return (
    <div className={styles.tools}>
      <IconButton icon={ZoomIn} label={TIMELINE.zoomIn} onPress={() => model.zoom(0.5)} />
      <IconButton icon={ZoomOut} label={TIMELINE.zoomOut} onPress={() => model.zoom(2)} />
      <IconButton icon={Maximize2} label={TIMELINE.fit} onPress={() => model.fit()} />
    </div>
  );
});

function Failure({ model }: { model: TimelineModel }) {
  const { message, hint } = asCommandError(model.failure);
  return (
    <div className={styles.failure}>
      <EmptyState
        title={message}
        action={<Button onPress={() => model.reload()}>{EMPTY.retry}</Button>}
      >
        {hint}
      </EmptyState>
    </div>
  );
}

/**
 * Hands over turns of the wheel with the distance from the left and the width of the element. They
 * are kept from scrolling the page, which React's own listener cannot do.
 */
function useWheel(
  element: RefObject<HTMLElement | null>,
  onWheel: (event: WheelEvent, x: number, width: number) => void,
): void {
  useEffect(() => {
    const { current } = element;
    if (!current) return;
    const turn = (event: WheelEvent) => {
      // Ctrl+wheel zooms the window.
      if (event.ctrlKey) return;
      event.preventDefault();
      const box = current.getBoundingClientRect();
      onWheel(event, event.clientX - box.left, Math.max(1, box.width));
    };
    current.addEventListener('wheel', turn, { passive: false });
    return () => current.removeEventListener('wheel', turn);
  }, [element, onWheel]);
}

/** The rows whose selection a timeline shares. */
interface SharedRows {
  readonly subscribe: (listener: () => void) => () => void;
  query(): TrafficQuery;
}

/** The timeline of a record, kept as the record grows. */
function useTimeline(rows: SharedRows): {
  readonly model: TimelineModel;
  readonly version: number;
} {
  const backend = useBackend();
  const record = useRecordStore();
  const [model] = useState(() => new TimelineModel(backend, () => rows.query()));
  const version = useSyncExternalStore(model.subscribe, model.getVersion);
  useEffect(() => {
    model.open();
    // A filter, or a pause, asks for others; so do older ones that were found.
    const leaveRows = rows.subscribe(() => model.refresh());
    const leaveRecord = record.subscribe((state, before) => {
      if (state.revision !== before.revision) model.refresh();
    });
    return () => {
      leaveRows();
      leaveRecord();
      model.close();
    };
  }, [model, rows, record]);
  return { model, version };
}
