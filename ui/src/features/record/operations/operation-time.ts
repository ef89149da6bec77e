import type { Operation } from '@/backend/bindings';
import { formatDuration } from '@/lib/format';
import { barOf, type Timed, type TimeScale } from '../rows/waterfall';
import { COLUMNS } from '../texts';
import { OPERATIONS } from './operation-texts';

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
  return total === '' ? '' : OPERATIONS.duration(total, personTime(operation, now));
}

/** The time that a person took so far, in milliseconds. */
export function personTime(operation: Operation, now: number): number {
  const { personTime: known, person, waitsForPerson: waits } = operation;
  const until = person.at(-1)?.to;
  return (known ?? 0) + (waits ? Math.max(0, now - (until ?? now)) : 0);
}

interface Stretch {
  readonly left: number;
  readonly width: number;
}

/** The stretches of an operation's bar in which a person was asked, as parts of the whole column. */
export function personBars(
  { person, waitsForPerson: waits }: Operation,
  scale: TimeScale,
  now: number,
): readonly Stretch[] {
  return person.map(({ from, to }, index) => {
    const goesOn = waits && index === person.length - 1;
    const start = from ?? 0;
    const end = goesOn ? Math.max(to ?? start, now) : (to ?? start);
    return barOf({ at: start, duration: Math.max(0, end - start), outcome: 'ok' }, scale, now);
  });
}
