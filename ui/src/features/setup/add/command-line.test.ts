import { describe, expect, it } from 'vitest';
import { readPasted, splitCommandLine } from './command-line';

const words = (text: string) => {
  const { command, arguments: rest } = splitCommandLine(text);
  return [command, ...rest];
};

describe('splitCommandLine', () => {
  it('splits at spaces, however many', () => {
    expect(words('npx  -y\t@scope/server ')).toEqual(['npx', '-y', '@scope/server']);
  });

  it('keeps quoted words together and drops the quotes', () => {
    expect(words(`node "my server.js" 'a "b" c' x"y z"`)).toEqual([
      'node',
      'my server.js',
      'a "b" c',
      'xy z',
    ]);
  });

  it('keeps empty words that are quoted', () => {
    expect(words(`run '' ""`)).toEqual(['run', '', '']);
  });

  it('takes a backslash as an escape only where a shell needs one', () => {
    expect(words(String.raw`cat my\ file "say \"hi\""`)).toEqual(['cat', 'my file', 'say "hi"']);
    expect(words(String.raw`C:\tools\server.exe --port 3`)).toEqual([
      String.raw`C:\tools\server.exe`,
      '--port',
      '3',
    ]);
  });

  it('takes variables before the program as its environment', () => {
    const line = splitCommandLine('TOKEN="a b" DEBUG= npx server KEY=value');
    expect(line.environment).toEqual([
      { name: 'TOKEN', text: 'a b' },
      { name: 'DEBUG', text: '' },
    ]);
    expect(line.command).toBe('npx');
    expect(line.arguments).toEqual(['server', 'KEY=value']);
  });

  it('leaves variables as they are written', () => {
    expect(words('server --key ${API_KEY:-none}')).toEqual(['server', '--key', '${API_KEY:-none}']);
  });

  it('drops a prompt and joins continued lines', () => {
    expect(words('$ docker run \\\n  -i image')).toEqual(['docker', 'run', '-i', 'image']);
  });
});

describe('readPasted', () => {
  it('knows an address', () => {
    expect(readPasted(' https://mcp.example.com/mcp\n')).toEqual({
      kind: 'address',
      url: 'https://mcp.example.com/mcp',
    });
  });

  it('knows a command line', () => {
    expect(readPasted('uvx mcp-server-time')).toEqual({
      kind: 'command-line',
      line: { environment: [], command: 'uvx', arguments: ['mcp-server-time'] },
    });
  });

  it('leaves a single word alone', () => {
    expect(readPasted('node')).toEqual({ kind: 'text' });
  });
});
