import { formatTime, formatTimestamp } from '@/lib/format';
import { fromNow } from '@/lib/moments';

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
