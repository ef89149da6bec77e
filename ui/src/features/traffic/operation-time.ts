import type { Operation } from '@/backend/bindings';
import { formatDuration } from '@/lib/format';
import { OPERATIONS } from './operation-texts';
import { COLUMNS } from './texts';
import { barOf, type Timed, type TimeScale } from './waterfall';

/** The whole time of an operation. */
export function timeOf({ root, duration, outcome }: Operation): Timed {
  return { at: root.at, duration, outcome };
}

/** The duration so far; empty for what takes no time. */
export function durationText(operation: Operation, now: number): string {
  const { root, duration, outcome } = operation;
  if (outcome === 'pending') return formatDuration(now - (root.at ?? now));
  if (duration === null) return outcome === 'none' ? '' : COLUMNS.none;
  return outcome === 'none' && operation.parts === 0 ? '' : formatDuration(duration);
}

/** The same, and how much of it a person took. */
export function timeText(operation: Operation, now: number): string {
  const total = durationText(operation, now);
  return total === '' ? '' : OPERATIONS.duration(total, operation.person_time ?? 0);
}

interface Stretch {
  readonly left: number;
  readonly width: number;
}

/** The stretches of an operation's bar in which a person was asked, as parts of the whole column. */
export function personBars({ person }: Operation, scale: TimeScale): readonly Stretch[] {
  return person.map(({ from, to }) => {
    const start = from ?? 0;
    const span: Timed = { at: start, duration: Math.max(0, (to ?? start) - start), outcome: 'ok' };
    return barOf(span, scale, start);
  });
}
