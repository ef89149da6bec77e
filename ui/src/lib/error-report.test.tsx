import { expect, test } from 'vitest';
import { errorReport } from './error-report';

test('a report names the pane, the error and where it was, with the version', () => {
  const report = errorReport('Tools', new TypeError('x is not a function'), '\n    at Row\n');
  expect(report).toMatch(/^Sightglass \d+\.\d+\.\d+/);
  expect(report).toContain('Pane: Tools');
  expect(report).toContain('TypeError: x is not a function');
  expect(report).toMatch(/Component stack:\n.*at Row$/);
});

test('what an error quotes stays in the window', () => {
  for (const message of [
    'Unexpected token \'s\', "secret-answer" is not valid JSON',
    "Cannot read properties of undefined (reading 'secret-answer')",
    'Unterminated "secret-answer',
  ]) {
    expect(errorReport('Result', new Error(message), '')).not.toContain('secret-answer');
  }
});

test('what was thrown without being an error is not told', () => {
  expect(errorReport('Result', 'secret-answer', '')).not.toContain('secret-answer');
});
