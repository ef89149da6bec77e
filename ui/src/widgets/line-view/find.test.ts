import { expect, test } from 'vitest';
import { tokenizeLine } from '@/lib/json/tokenize';
import { withMatches } from './find';

const told = (line: string, text: string, ordinal?: number) =>
  withMatches(tokenizeLine(line), text, ordinal)
    .map(({ text: part, match }) =>
      match === 'none' ? part : match === 'current' ? `<<${part}>>` : `<${part}>`,
    )
    .join('');

test('matches are marked across tokens, whatever their case', () => {
  expect(told('"Name": "a name"', 'name', 1)).toBe('"<Name>": "a <<name>>"');
  expect(told('"a": 12', '": 1')).toBe('"a<"><:>< ><1>2');
  expect(told('aaaa', 'aa', 0)).toBe('<<aa>><aa>');
});

test('without a text nothing is marked', () => {
  expect(told('"a": 1', '')).toBe('"a": 1');
});
