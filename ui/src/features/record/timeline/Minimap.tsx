import { memo, type PointerEvent, useEffect, useRef } from 'react';
import type { Timeline } from '@/backend/bindings';
import { usePointerDrag } from '@/components/use-pointer-drag';
import { surfaceOf } from './canvas';
import { drawOverview } from './draw';
import type { Palette } from './palette';
import styles from './timeline.module.css';
import type { TimelineModel } from './timeline-model';
import { TIMELINE } from './timeline-texts';

interface MinimapProps {
  readonly model: TimelineModel;
  readonly palette: Palette | null;
  /** The width of the plot, which changes with its own. */
  readonly width: number;
}

/** Pixels from an edge of the brush at which it is taken hold of. */
const GRIP = 6;

type Grip = 'start' | 'end' | 'whole';

/** Everything on record, and a brush around the stretch that is shown. */
export function Minimap({ model, palette, width }: MinimapProps) {
  const whole = model.timeline?.whole;
  const first = whole?.from ?? 0;
  const span = Math.max((whole?.to ?? 0) - first, 1);
  const share = (at: number) => Math.min(1, Math.max(0, (at - first) / span));
  const left = share(model.view.from);
  const right = share(model.view.to);

  const momentAt = (x: number, wide: number) => first + (x / wide) * span;

  const begin = (event: PointerEvent<HTMLElement>) => {
    const box = event.currentTarget.getBoundingClientRect();
    const x = event.clientX - box.left;
    const [start, end] = [left * box.width, right * box.width];
    let grip: Grip = 'whole';
    if (Math.abs(x - start) <= GRIP) grip = 'start';
    else if (Math.abs(x - end) <= GRIP) grip = 'end';
    else if (x < start || x > end) {
      // A click elsewhere brings the brush there.
      const half = (model.view.to - model.view.from) / 2;
      const at = momentAt(x, box.width);
      model.show({ from: at - half, to: at + half });
    }
    return { grip, x, view: model.view };
  };

  const move = (start: ReturnType<typeof begin>, event: PointerEvent<HTMLElement>) => {
    const box = event.currentTarget.getBoundingClientRect();
    const distance = ((event.clientX - box.left - start.x) / box.width) * span;
    const { from, to } = start.view;
    const least = (to - from) / 1000;
    if (start.grip === 'whole') model.show({ from: from + distance, to: to + distance });
    else if (start.grip === 'start')
      model.show({ from: Math.min(from + distance, to - least), to });
    else model.show({ from, to: Math.max(to + distance, from + least) });
  };

  return (
    <div
      className={styles.minimap}
      role="img"
      aria-label={TIMELINE.minimap}
      {...usePointerDrag(begin, move)}
      onDoubleClick={() => model.fit()}
    >
      <Overview overview={model.timeline?.overview} palette={palette} width={width} />
      <div
        className={styles.brush}
        data-brush
        style={{ left: `${left * 100}%`, width: `${Math.max(0, right - left) * 100}%` }}
      >
        <span className={styles.handle} title={TIMELINE.start} />
        <span className={styles.handle} title={TIMELINE.end} />
      </div>
    </div>
  );
}

interface OverviewProps {
  readonly overview: Timeline['overview'] | undefined;
  readonly palette: Palette | null;
  readonly width: number;
}

/** The bars of everything on record. To zoom and to move leaves them as they are drawn. */
const Overview = memo(function Overview({ overview, palette, width }: OverviewProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another width is drawn anew.
  useEffect(() => {
    const { current } = canvas;
    const surface = current && surfaceOf(current);
    if (surface && palette && overview) drawOverview(surface, overview, palette);
  }, [overview, palette, width]);
  return <canvas ref={canvas} className="block w-full h-full" />;
});
