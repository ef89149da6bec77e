import { formatTime, formatTimestamp } from '@/lib/format';

/** Says how far a moment is from now: `in 58 minutes`, `in 3 days`, `4 minutes ago`. */
export function fromNow(moment: number, now: number): string {
  const away = moment - now;
  const label = lengthText(Math.abs(away));
  return away >= 0 ? `in ${label}` : `${label} ago`;
}

const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const;

function lengthText(milliseconds: number): string {
  for (const [unit, length] of UNITS) {
    // Two hours and more are told in hours, less in minutes.
    if (milliseconds >= length * (unit === 'minute' ? 1 : 2)) {
      const count = Math.floor(milliseconds / length);
      return `${count} ${unit}${count === 1 ? '' : 's'}`;
    }
  }
  return 'less than a minute';
}

/** A moment as the user tells it: the time of day, with its date when that is not today. */
export function momentText(moment: number, now: number): string {
  const time = formatTime(moment).slice(0, 5);
  const day = formatTimestamp(moment).slice(0, 10);
  return day === formatTimestamp(now).slice(0, 10) ? time : `${day} ${time}`;
}

/** Says until when a token is good, as far as that is known. */
export function untilText(expires: number | null, now: number): string | null {
  if (expires === null) return null;
  const moment = momentText(expires, now);
  return expires > now
    ? `until ${moment}, ${fromNow(expires, now)}`
    : `expired at ${moment}, ${fromNow(expires, now)}`;
}
