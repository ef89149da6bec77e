const NO_LETTER = /[^\p{L}\p{N}]+/gu;

/** Tells whether a title only repeats a name: `Read file` and `read_file`. */
export function repeatsName(title: string, name: string): boolean {
  const letters = (text: string) => text.replace(NO_LETTER, '').toLowerCase();
  return title === name || (letters(title) !== '' && letters(title) === letters(name));
}
