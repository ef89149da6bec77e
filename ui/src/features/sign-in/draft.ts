import { DRAFT } from './texts';

type Headers = [name: string, value: string][];

/** Headers as the user edits them: one on a line. */
export function headerLines(headers: Readonly<Headers>): string {
  return headers.map(([name, value]) => `${name}: ${value}`).join('\n');
}

/** Reads edited headers, or says what is wrong with them. */
export function readHeaderLines(text: string): { headers: Headers } | { problem: string } {
  const headers: Headers = [];
  for (const line of text.split('\n')) {
    if (line.trim() === '') continue;
    const at = line.indexOf(':');
    const name = line.slice(0, at).trim();
    // A field name is a token (RFC 9110, section 5.1).
    if (at < 0 || !/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name)) {
      return { problem: DRAFT.notAHeader(line.trim()) };
    }
    headers.push([name, line.slice(at + 1).trim()]);
  }
  return { headers };
}

/** Returns the error of the address of a request, if there is one. */
export function addressProblem(url: string): string | undefined {
  if (!URL.canParse(url)) return DRAFT.notAnAddress;
  const { protocol } = new URL(url);
  return protocol === 'http:' || protocol === 'https:' ? undefined : DRAFT.notHttp;
}
