/** Texts of the rows of names and values. */
export const ROWS = {
  remove: (item: string, place: number) => `Remove ${item.toLowerCase()} ${place}`,
  add: (item: string) => `Add ${item.toLowerCase()}`,
  nameOf: (item: string, place: number) => `Name of ${item.toLowerCase()} ${place}`,
  valueOf: (item: string, place: number) => `Value of ${item.toLowerCase()} ${place}`,
  name: 'Name',
  value: 'Value, or ${VARIABLE}',
} as const;
