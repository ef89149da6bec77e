/** A request or a response, taken apart for reading. */
interface HttpText {
  /** The request line or the status line. */
  start: string;
  headers: readonly (readonly [name: string, value: string])[];
  /** Empty when there is none. */
  body: string;
}

/** Takes a message apart: a start line, headers, an empty line, a body (RFC 9112, section 2.1). */
export function readHttpText(text: string): HttpText {
  const lines = text.replace(/\r\n/g, '\n');
  const end = lines.indexOf('\n\n');
  const [start = '', ...headers] = (end < 0 ? lines : lines.slice(0, end)).split('\n');
  return {
    start,
    headers: headers
      .filter((line) => line !== '')
      .map((line) => {
        const at = line.indexOf(':');
        return at < 0 ? [line, ''] : [line.slice(0, at), line.slice(at + 1).trim()];
      }),
    body: end < 0 ? '' : lines.slice(end + 2),
  };
}

type Parameters = [name: string, value: string][];

/** The parameters of an address, decoded. */
export function addressParameters(address: string): Parameters {
  return URL.canParse(address) ? [...new URL(address).searchParams] : [];
}

/** The parameters of a form, decoded; none when the body is something else. */
export function formParameters({ headers, body }: HttpText): Parameters {
  const type = headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? '';
  return type.startsWith('application/x-www-form-urlencoded')
    ? [...new URLSearchParams(body.trim())]
    : [];
}

/** A body with its JSON indented; anything else as it is. */
export function readableBody(body: string): { text: string; isJson: boolean } {
  if (!/^\s*[[{]/.test(body)) return { text: body, isJson: false };
  try {
    return { text: JSON.stringify(JSON.parse(body), null, 2), isJson: true };
  } catch {
    return { text: body, isJson: false };
  }
}
