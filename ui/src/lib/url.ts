/** The host of an address, as users know it; the whole when it is no address. */
export function hostOf(address: string): string {
  return URL.canParse(address) ? new URL(address).host : address;
}

/** Tells an address of this very machine, by its number or by a name that is reserved for it. */
export function isLoopback(address: string): boolean {
  const host = URL.canParse(address) ? new URL(address).hostname : '';
  return /^(?:(?:.+\.)?localhost|127(?:\.\d+){3}|\[::1\])$/.test(host);
}

/**
 * Returns an http(s) address in its normal form (https://url.spec.whatwg.org/#url-serializing),
 * which is shown and opened; nothing for any other text.
 */
export function webAddress(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url && /^https?:$/.test(url.protocol) ? url.href : undefined;
}

/**
 * Returns the origin of an address (https://url.spec.whatwg.org/#concept-url-origin), whose host is
 * written in ASCII, where the address does not begin with it; nothing for one that says it itself.
 */
export function otherOrigin(address: string): string | undefined {
  const { origin } = URL.canParse(address) ? new URL(address) : { origin: 'null' };
  if (origin === 'null') return undefined;
  const isSaid = address.startsWith(origin) && /^(?:$|[/?#:])/.test(address.slice(origin.length));
  return isSaid ? undefined : origin;
}
