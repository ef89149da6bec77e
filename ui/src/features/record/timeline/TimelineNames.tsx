import { memo } from 'react';
import type { TimelineLanes } from '@/backend/bindings';
import { formatCount } from '@/lib/format';
import { visibleText } from '@/lib/visible-text';
import styles from './timeline.module.css';
import { LANE } from './timeline-model';
import { TIMELINE, TRACKS } from './timeline-texts';

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
