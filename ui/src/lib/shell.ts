/** Quotes a text for a POSIX shell. */
export function shellQuoted(text: string): string {
  if (/^[A-Za-z0-9_./:=@%+-]+$/.test(text)) return text;
  return `'${text.replaceAll("'", "'\\''")}'`;
}
