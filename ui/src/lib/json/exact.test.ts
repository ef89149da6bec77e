import { expect, test } from 'vitest';
import { type ExactValue, parseExact, stringifyExact } from './exact';

/** Arrays within each other. */
function nested(levels: number): string {
  return '['.repeat(levels) + ']'.repeat(levels);
}

test('a value of ordinary depth is indented', () => {
  expect(stringifyExact(parseExact('{"a":[1.10]}'))).toBe('{\n  "a": [\n    1.10\n  ]\n}');
});

test('100 levels are indented and more are not', () => {
  expect(stringifyExact(parseExact(nested(100)))).toContain('\n');
  expect(stringifyExact(parseExact(nested(102)))).toBe(nested(102));
});

test('one deep member leaves the whole value on one line', () => {
  const wide = parseExact(`{"deep":${nested(200)},"wide":[1,2]}`);
  expect(stringifyExact(wide)).toBe(`{"deep":${nested(200)},"wide":[1,2]}`);
});

test('100,000 levels are written as they are, on one line', () => {
  let value: ExactValue = [];
  for (let depth = 1; depth < 100_000; depth += 1) value = [value];
  expect(stringifyExact(value)).toBe(nested(100_000));
});

test('what is too deep to be read is a mistake of the text', () => {
  expect(() => parseExact(nested(1_000_000))).toThrow(SyntaxError);
});

test('members of a deep value keep their names, order and digits', () => {
  const text = `{"b\\n":[1.10,-2e3,null],"a":${nested(200)},"c":{"d":"\\u0001","e":true},"f":{}}`;
  expect(stringifyExact(parseExact(text))).toBe(text);
});
