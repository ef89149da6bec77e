import { expect, it } from 'vitest';
import { resourceText } from './text';

it('says that a resource was never read instead of counting from a read', () => {
  expect(resourceText.updates(3, false)).toBe('● 3 updates, not read yet');
  expect(resourceText.updates(1, true)).toBe('● 1 update since the last read');
});
