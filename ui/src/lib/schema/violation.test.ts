import { expect, test } from 'vitest';
import { summaryOf } from './violation';

test('several violations are told in a line', () => {
  const missing = (name: string) => ({
    pointer: `/${name}`,
    message: 'Required.',
    sentence: `\`${name}\` is missing.`,
    missing: true,
  });
  const wrong = {
    pointer: '/c',
    message: 'Must be text.',
    sentence: '`c`: Must be text.',
    missing: false,
  };
  expect(summaryOf([missing('a')])).toBe('`a` is missing.');
  expect(summaryOf([missing('a'), missing('b')])).toBe('`a` and `b` are missing.');
  expect(summaryOf(['a', 'b', 'c'].map(missing))).toBe('`a` and 2 more fields are missing.');
  expect(summaryOf([wrong, missing('a')])).toBe('`c`: Must be text. And 1 more problem.');
});
