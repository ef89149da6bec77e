import { expect, it } from 'vitest';
import { repeatsName } from './same-name';

it('finds a title that repeats the name in other signs', () => {
  expect(repeatsName('Read file', 'read_file')).toBe(true);
  expect(repeatsName('readFile', 'read_file')).toBe(true);
  expect(repeatsName('Schema: none', 'schema_none')).toBe(true);
  expect(repeatsName('Read a file', 'read_file')).toBe(false);
  expect(repeatsName('…', '—')).toBe(false);
  expect(repeatsName('—', '—')).toBe(true);
});
