import { expect, test } from 'vitest';
import { treeOf } from './file-tree';

test('files come before folders, and SKILL.md comes first', () => {
  const paths = ['a/b/c.md', 'a/d.md', 'B.md', 'SKILL.md', 'skill://elsewhere/x'];
  const lines = treeOf(paths.map((path) => ({ uri: `skill://s/${path}`, path })));
  expect(lines.map(({ name, depth }) => `${'  '.repeat(depth)}${name}`)).toEqual([
    'SKILL.md',
    'B.md',
    'skill://elsewhere/x',
    'a',
    '  d.md',
    '  b',
    '    c.md',
  ]);
  expect(new Set(lines.map(({ id }) => id)).size).toBe(lines.length);
});
