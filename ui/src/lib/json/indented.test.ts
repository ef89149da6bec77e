import { expect, test } from 'vitest';
import { indentedJson } from './indented';

test('every member is on its own line, repeated ones and long numbers too', () => {
  const text = '{"path":"/tmp","path" : "/","n":[9007199254740993,1.10],"none":{ },"no":[]}';
  expect(indentedJson(text)).toBe(`{
  "path": "/tmp",
  "path": "/",
  "n": [
    9007199254740993,
    1.10
  ],
  "none": {},
  "no": []
}`);
});

test('marks within strings are no structure, and needless escapes are not kept', () => {
  const text = '{"a,{":"\\"]: \\\\","p\\u0061th":"\\u002fetc\\n"}';
  expect(indentedJson(text)).toBe('{\n  "a,{": "\\"]: \\\\",\n  "path": "/etc\\n"\n}');
});

test('a text that is no JSON is left alone', () => {
  for (const text of ['', '{"a":', '{"a" 1}', 'rm -rf {,}']) expect(indentedJson(text)).toBe(text);
});

test('deep levels share the beginning of their lines, so that no blanks are counted', () => {
  const text = `${'['.repeat(60)}1${']'.repeat(60)}`;
  const indented = indentedJson(text);
  expect(indented.replace(/\s/g, '')).toBe(text);
  expect(indented).not.toMatch(/ {33}/);
});
