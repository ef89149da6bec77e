import { describe, expect, it } from 'vitest';
import { textOfRoots } from './roots-text';

describe('what a server was told', () => {
  it('names the folders in one line', () => {
    expect(textOfRoots('{"roots":[{"uri":"file:///a"},{"uri":"file:///b","name":"b"}]}')).toBe(
      'file:///a, file:///b',
    );
  });
  it('says that it was told none', () => {
    expect(textOfRoots('{"roots":[]}')).toBe('no folders');
  });
});
