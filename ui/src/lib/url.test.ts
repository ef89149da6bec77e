import { expect, test } from 'vitest';
import { otherOrigin } from './url';

test('an address that begins with its origin has no other one', () => {
  for (const address of [
    'https://as.example',
    'https://as.example/tenant',
    'https://as.example:8443/',
    'https://as.example:443',
    'https://as.example?a#b',
    'not an address',
    'urn:example:issuer',
  ]) {
    expect(otherOrigin(address), address).toBeUndefined();
  }
});

test('an address that reads otherwise is taken apart as browsers do', () => {
  for (const [address, origin] of [
    ['https://\u0430s.example', 'https://xn--s-7sb.example'],
    ['https://as.example@evil.example', 'https://evil.example'],
    ['https://evil.com@evil.co', 'https://evil.co'],
    ['https://as.example\\@evil', 'https://as.example'],
    ['https://as.exam\tple.evil', 'https://as.example.evil'],
    [' https://as.example', 'https://as.example'],
    ['HTTPS://AS.example', 'https://as.example'],
  ] as const) {
    expect(otherOrigin(address), address).toBe(origin);
  }
});
