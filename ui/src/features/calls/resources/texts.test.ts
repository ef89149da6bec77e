import { expect, it } from 'vitest';
import { RESOURCE } from './texts';

it('says that a resource was never read instead of counting from a read', () => {
  expect(RESOURCE.updates(3, false)).toBe('● 3 updates, not read yet');
  expect(RESOURCE.updates(1, true)).toBe('● 1 update since the last read');
});
