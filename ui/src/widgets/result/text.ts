/** All texts of the search within a result, in one place. */
export const SEARCH = {
  field: 'Search in this result',
  open: 'Search in this result',
  next: 'Next match',
  previous: 'Previous match',
  close: 'Close the search',
  none: 'No match',
  view: 'Result with matches',
} as const;

/** The match at hand among all of them. */
export function countText(index: number, total: number): string {
  return `${(index + 1).toLocaleString('en-US')} of ${total.toLocaleString('en-US')}`;
}
