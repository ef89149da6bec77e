/*
 * Figures as the window shows them. Rows of the traffic table are drawn many times a second
 * while messages pour in, so these avoid Intl's formatters except where grouping is needed.
 */

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** A duration given in milliseconds: `0.4 ms`, `38.4 ms`, `181 ms`, `1.2 s`, `2 m 05 s`. */
export function formatDuration(milliseconds: number): string {
  const value = Math.max(0, milliseconds);
  if (value < 99.95) return `${value.toFixed(1)} ms`;
  if (value < 999.5) return `${Math.round(value)} ms`;
  if (value < MINUTE - 50) return `${(value / 1000).toFixed(1)} s`;
  const seconds = Math.round(value / 1000);
  if (seconds * 1000 < HOUR) {
    return `${Math.floor(seconds / 60)} m ${twoDigits(seconds % 60)} s`;
  }
  const minutes = Math.round(seconds / 60);
  return `${Math.floor(minutes / 60)} h ${twoDigits(minutes % 60)} m`;
}

const SIZE_UNITS = ['KB', 'MB', 'GB', 'TB'] as const;

/** A size given in bytes, in powers of 1,024: `412 B`, `18.2 KB`, `181 KB`, `2.1 MB`. */
export function formatSize(bytes: number): string {
  if (bytes < 1024) return `${Math.round(bytes)} B`;
  let value = bytes;
  for (const unit of SIZE_UNITS) {
    value /= 1024;
    if (value < 99.95) return `${value.toFixed(1)} ${unit}`;
    if (value < 1023.5 || unit === 'TB') return `${Math.round(value)} ${unit}`;
  }
  return `${Math.round(value)} TB`;
}

/** A time of day in the user's zone, from milliseconds since the Unix epoch: `14:02:11.204`. */
export function formatTime(epochMilliseconds: number): string {
  const date = new Date(epochMilliseconds);
  const milliseconds = date.getMilliseconds();
  return `${clock(date)}.${milliseconds < 100 ? '0' : ''}${twoDigits(milliseconds)}`;
}

/**
 * The time of day, and in its stead the day and the time to the second when it was not today:
 * `14:02:11.204`, `11-20 14:02:11`.
 */
export function formatMoment(epochMilliseconds: number, now: number): string {
  const isToday = isSameDay(new Date(epochMilliseconds), new Date(now));
  return isToday ? formatTime(epochMilliseconds) : formatSecond(epochMilliseconds, now);
}

/** A moment to the second, with the day where that is not today: `14:02:11`. */
export function formatSecond(epochMilliseconds: number, now = Date.now()): string {
  const date = new Date(epochMilliseconds);
  const day = `${twoDigits(date.getMonth() + 1)}-${twoDigits(date.getDate())} `;
  return `${isSameDay(date, new Date(now)) ? '' : day}${clock(date)}`;
}

/** A time of day to the second: `14:02:11`. */
export function formatClock(epochMilliseconds: number): string {
  return clock(new Date(epochMilliseconds));
}

/** A day in the user's zone: `2026-11-20`. */
export function formatDate(epochMilliseconds: number): string {
  const date = new Date(epochMilliseconds);
  return `${date.getFullYear()}-${twoDigits(date.getMonth() + 1)}-${twoDigits(date.getDate())}`;
}

/** The whole of a moment: `2026-11-20 14:02:11.204`. */
export function formatTimestamp(epochMilliseconds: number): string {
  return `${formatDate(epochMilliseconds)} ${formatTime(epochMilliseconds)}`;
}

const grouped = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });

/** A count with separators: `12,408`. */
export function formatCount(count: number): string {
  return count < 1000 && Number.isInteger(count) ? String(count) : grouped.format(count);
}

/** A count with its noun: `1 message`, `12,408 messages`. */
export function formatQuantity(count: number, singular: string, plural = `${singular}s`): string {
  return `${formatCount(count)} ${count === 1 ? singular : plural}`;
}

/** `A`, `A and B`, `A, B and C`. */
export function listOf(names: readonly string[]): string {
  return new Intl.ListFormat('en', { type: 'conjunction' }).format(names);
}

function clock(date: Date): string {
  return `${twoDigits(date.getHours())}:${twoDigits(date.getMinutes())}:${twoDigits(date.getSeconds())}`;
}

function twoDigits(value: number): string {
  return value < 10 ? `0${value}` : String(value);
}

function isSameDay(one: Date, other: Date): boolean {
  return (
    one.getDate() === other.getDate() &&
    one.getMonth() === other.getMonth() &&
    one.getFullYear() === other.getFullYear()
  );
}

/** Returns a number of tokens that is an estimate, short: `≈412`, `≈2.1k`, `≈14k`. */
export function formatTokens(count: number): string {
  if (count < 1000) return `≈${count}`;
  const [part, unit] = count < 999_500 ? [count / 1000, 'k'] : [count / 1_000_000, 'M'];
  return `≈${part < 10 ? part.toFixed(1) : Math.round(part)}${unit}`;
}
