import { describe, expect, it } from 'vitest';
import { differsFrom } from './difference';

describe('where texts differ', () => {
  it('is the first character that is another', () => {
    expect(differsFrom('https://a.example', 'https://b.example')).toBe(8);
    expect(differsFrom('abc', 'abcd')).toBe(3);
    expect(differsFrom('abc', 'ab')).toBe(2);
    expect(differsFrom('abc', 'abc')).toBe(3);
  });
});
