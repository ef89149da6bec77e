/*
 * An MCP server of the `initialize` era over stdio that answers each method with the result that
 * it was given: a file of lines `METHOD RESULT`, whose bytes it sends as they are.
 *
 * Two lines are about the output itself, with a JSON string of bytes each: `(begin)` stands before
 * everything, `(end)` ends each line in place of a line feed. A result `(crash) TEXT` is none: the
 * program writes the text to stderr and ends with code 1.
 */
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

// Each byte a character, so that also what is not UTF-8 stays as it is.
const results = new Map(
  readFileSync(process.argv[2], 'latin1')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => [line.slice(0, line.indexOf(' ')), line.slice(line.indexOf(' ') + 1)]),
);
const bytes = (name) => results.has(name) && JSON.parse(results.get(name));
const end = bytes('(end)') || '\n';
process.stdout.write(bytes('(begin)') || '', 'latin1');
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method } = JSON.parse(line);
  if (id === undefined) return;
  const result = results.get(method);
  if (result?.startsWith('(crash) ')) {
    process.stderr.write(`${result.slice('(crash) '.length)}\n`, () => process.exit(1));
    return;
  }
  const said = result ? `"result":${result}` : `"error":{"code":-32601,"message":"no ${method}"}`;
  process.stdout.write(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},${said}}${end}`, 'latin1');
});
