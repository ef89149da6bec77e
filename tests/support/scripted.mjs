/*
 * An MCP server of the `initialize` era over stdio that answers each method with the result that
 * it was given: a file of lines `METHOD RESULT`, whose texts it sends as they are.
 */
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const results = new Map(
  readFileSync(process.argv[2], 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => [line.slice(0, line.indexOf(' ')), line.slice(line.indexOf(' ') + 1)]),
);
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method } = JSON.parse(line);
  if (id === undefined) return;
  const result = results.get(method);
  const said = result ? `"result":${result}` : `"error":{"code":-32601,"message":"no ${method}"}`;
  process.stdout.write(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},${said}}\n`);
});
