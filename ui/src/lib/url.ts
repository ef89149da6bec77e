/** The host of an address, as users know it; the whole when it is no address. */
export function hostOf(address: string): string {
  return URL.canParse(address) ? new URL(address).host : address;
}
