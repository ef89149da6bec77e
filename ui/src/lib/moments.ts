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
