import { expect, test } from 'vitest';
import { isLoopback, otherOrigin } from './url';

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

test('an address is of this machine by its whole host alone', () => {
  for (const host of ['localhost', 'API.localhost:1', '127.0.0.1', '2130706433', '[::1]:8443']) {
    expect(isLoopback(`https://${host}/mcp`), host).toBe(true);
  }
  for (const host of [
    'evil.example',
    'localhost.evil.example',
    'localhost@evil.example',
    '0.0.0.0',
  ]) {
    expect(isLoopback(`https://${host}/mcp`), host).toBe(false);
  }
  expect(isLoopback('localhost')).toBe(false);
});
