import { expect, test } from 'vitest';
import { cliCommand } from './use-run-copies';

test('the command line makes the same call, digit by digit', () => {
  const call = { project: '/home/ada/my project', server: 'files', tool: 'find' };
  expect(cliCommand({ ...call, input: '{\n  "n": 9007199254740993,\n  "s": "it\'s"\n}' })).toBe(
    `sightglass-cli tools call files find '{"n":9007199254740993,"s":"it'\\''s"}' --project '/home/ada/my project'`,
  );
});
