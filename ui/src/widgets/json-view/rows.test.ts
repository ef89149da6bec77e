import { expect, test } from 'vitest';
import { parseExact } from '@/lib/json/exact';
import { rowsOf } from './rows';

const shown = (json: string, toggled: string[] = []) =>
  rowsOf(parseExact(json), new Set(toggled)).map(
    ({ depth, name, text, comma }) =>
      `${'  '.repeat(depth)}${name === undefined ? '' : `${name}: `}${text}${comma ? ',' : ''}`,
  );

test('the rows read as indented JSON, with every digit', () => {
  expect(shown('{"a":[1.10,9007199254740993],"b":{}}')).toEqual([
    '{',
    '  a: [',
    '    1.10,',
    '    9007199254740993',
    '  ],',
    '  b: {}',
    '}',
  ]);
});

test('what the user closed takes one row', () => {
  expect(shown('{"a":[1,2],"b":3}', ['/a'])).toEqual(['{', '  a: […],', '  b: 3', '}']);
});

test('a large member starts closed and can be opened', () => {
  const json = `{"many":[${Array.from({ length: 300 }, (_, index) => index).join(',')}]}`;
  expect(shown(json)).toEqual(['{', '  many: […]', '}']);
  expect(shown(json, ['/many'])).toHaveLength(304);
});
