import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { codeSpan } from './write';

const CASES = new URL('../../../../tests/fixtures/code_spans.json', import.meta.url);

test('a span is longer than any run of backticks and one line, as the backend writes it', () => {
  const cases = JSON.parse(readFileSync(CASES, 'utf8')) as [string, string][];
  for (const [text, span] of cases) expect(codeSpan(text)).toBe(span);
});
