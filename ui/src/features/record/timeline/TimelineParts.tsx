import { memo, type RefObject, useEffect, useRef } from 'react';
import type { OperationTimeline, TimelineLanes } from '@/backend/bindings';
import { formatCount } from '@/lib/format';
import { visibleText } from '@/lib/visible-text';
import { OperationStatusText } from '../operations/OperationCells';
import { timeText } from '../operations/operation-time';
import { surfaceOf } from './canvas';
import { drawParts, MAX_PART_LANES } from './draw';
import type { Palette } from './palette';
import styles from './timeline.module.css';
import { LANE, type TimelineModel } from './timeline-model';
import { TIMELINE, TRACKS } from './timeline-texts';

interface TimelinePartsProps {
  readonly model: TimelineModel;
  readonly detail: OperationTimeline;
  readonly palette: Palette | null;
  readonly version: number;
  readonly now: number;
}

/** The selected operation in its parts, beneath the lanes and on the same axis. */
export function TimelineParts({ model, detail, palette, version, now }: TimelinePartsProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useDrawnParts(canvas, { model, detail, palette, version, now });
  const { root } = detail.operation;
  const lanes = Math.min(detail.lanes, MAX_PART_LANES);
  const name = `#${root.id} ${visibleText(root.method)} ${visibleText(root.target)}`.trim();
  return (
    <section
      className={styles.parts}
      aria-label={TIMELINE.partsOf(name)}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls.
      tabIndex={0}
    >
      <div className={styles.about}>
        <p className={styles.operation}>{name}</p>
        <p>
          <OperationStatusText operation={detail.operation} />{' '}
          <span className="faint">{timeText(detail.operation, now)}</span>
        </p>
        {detail.total > detail.parts.length && (
          <p className="faint">{TIMELINE.firstParts(detail.parts.length, detail.total)}</p>
        )}
        <p className="row gap-3 faint">
          <span className={styles.path} aria-hidden="true" />
          {TIMELINE.criticalPath}
        </p>
        {detail.parts.some(({ person }) => person) && (
          <p className="row gap-3 faint">
            <span className={styles.swatch} aria-hidden="true" />
            {TIMELINE.person}
          </p>
        )}
      </div>
      <canvas
        ref={canvas}
        className={styles.partsCanvas}
        style={{ height: Math.max(lanes * LANE, 1) }}
        data-parts={detail.parts.length}
        data-arrows={detail.parts.filter(({ parent }) => parent !== null).length}
      />
    </section>
  );
}

function useDrawnParts(canvas: RefObject<HTMLCanvasElement | null>, drawn: TimelinePartsProps) {
  const { model, detail, palette, version, now } = drawn;
  // biome-ignore lint/correctness/useExhaustiveDependencies: draws again with each version.
  useEffect(() => {
    const { current } = canvas;
    const surface = current && surfaceOf(current);
    if (surface && palette) drawParts(surface, detail, { view: model.view, palette, now });
  }, [canvas, model, detail, palette, version, now]);
}

interface TimelineNamesProps {
  readonly tracks: readonly TimelineLanes[];
  readonly scroll: number;
  readonly height: number;
  readonly onScroll: (distance: number) => void;
}

/** The names of the tracks that are in sight. To zoom and to move in time draws none again. */
export const TimelineNames = memo(function TimelineNames(props: TimelineNamesProps) {
  const { tracks, scroll, height, onScroll } = props;
  const shown = tracks.map((track, index) => ({ track, before: tracks[index - 1] }));
  const inSight = shown.filter(({ track: { first, count } }) => {
    const top = first * LANE - scroll;
    return top + count * LANE > 0 && top < height;
  });
  return (
    <div className="fill relative overflow-hidden" onWheel={(event) => onScroll(event.deltaY)}>
      <ul aria-label={TIMELINE.lanes} className="plain-list m-0">
        {inSight.map(({ track, before }) => {
          const top = track.first * LANE - scroll;
          // A name stays in sight as long as one of its lanes is.
          const shift = Math.min(Math.max(0, -top), (track.count - 1) * LANE);
          const isFirst = before?.server !== track.server || top < 0;
          const server = visibleText(track.server);
          const kind = TRACKS[track.track];
          return (
            <li
              key={`${track.serverId} ${track.server} ${track.track}`}
              className={styles.name}
              style={{ top: top + shift, height: LANE }}
              title={`${server}: ${kind}, ${TIMELINE.many(track.operations)}`}
            >
              <span className={isFirst ? styles.server : styles.again}>{server}</span>
              <span className="faint">{kind}</span>
              <span className="push figures faint">{formatCount(track.operations)}</span>
            </li>
          );
        })}
      </ul>
    </div>
  );
});
