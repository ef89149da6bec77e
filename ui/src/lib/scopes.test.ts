import { describe, expect, it } from 'vitest';
import { compareScopes, readScopes } from './scopes';

describe('scopes', () => {
  it('are compared: first those of both, then what was refused and what came on top', () => {
    expect(compareScopes(['admin', 'read'], ['read', 'profile'])).toEqual([
      { scope: 'read', isRequested: true, isGranted: true },
      { scope: 'admin', isRequested: true, isGranted: false },
      { scope: 'profile', isRequested: false, isGranted: true },
    ]);
  });

  it('are read however they are separated, each once', () => {
    expect(readScopes(' read, write\nread  ')).toEqual(['read', 'write']);
    expect(readScopes('')).toEqual([]);
  });
});
