import { describe, expect, it } from 'vitest';
import { readAddCommand } from './add-command';

const draft = (text: string) => readAddCommand(text)?.draft;

describe('readAddCommand', () => {
  it('reads a program with its arguments and environment', () => {
    expect(
      draft(
        'claude mcp add --scope project -e API_KEY=1=2 --env DEBUG=1 files -- npx -y pkg --flag',
      ),
    ).toEqual({
      name: 'files',
      endpoint: {
        kind: 'stdio',
        command: 'npx',
        arguments: ['-y', 'pkg', '--flag'],
        environment: [
          { name: 'API_KEY', text: '1=2' },
          { name: 'DEBUG', text: '1' },
        ],
        working_directory: null,
      },
    });
  });

  it('leaves what follows the program to it, without dashes too', () => {
    expect(draft('gemini mcp add files node server.js -e production')?.endpoint).toMatchObject({
      command: 'node',
      arguments: ['server.js', '-e', 'production'],
      environment: [],
    });
  });

  it('reads an address with its transport and headers', () => {
    expect(
      draft(
        'claude mcp add --transport sse linear https://mcp.linear.app/sse --header "Authorization: Bearer x"',
      ),
    ).toMatchObject({
      name: 'linear',
      endpoint: { kind: 'remote', transport: 'sse', url: 'https://mcp.linear.app/sse' },
    });
    expect(
      draft('claude mcp add -t http -H "X-Key: a:b" web https://example.com/mcp')?.endpoint,
    ).toMatchObject({ transport: 'http', headers: [{ name: 'X-Key', text: 'a:b' }] });
  });

  it('reads the options of codex', () => {
    expect(
      draft('codex mcp add web --url https://example.com/mcp --bearer-token-env-var WEB_TOKEN'),
    ).toMatchObject({
      name: 'web',
      endpoint: {
        url: 'https://example.com/mcp',
        headers: [{ name: 'Authorization', text: 'Bearer ${WEB_TOKEN}' }],
      },
    });
    expect(draft('codex mcp add --env=A=1 files -- uvx files')?.endpoint).toMatchObject({
      command: 'uvx',
      environment: [{ name: 'A', text: '1' }],
    });
  });

  it('reads JSON on the command line', () => {
    expect(draft(`claude mcp add-json files '{"command":"npx","args":["-y"]}'`)).toMatchObject({
      name: 'files',
      endpoint: { command: 'npx', arguments: ['-y'] },
    });
    expect(draft(`code --add-mcp '{"name":"web","url":"https://example.com"}'`)).toMatchObject({
      name: 'web',
      endpoint: { kind: 'remote', url: 'https://example.com' },
    });
  });

  it('leaves other commands alone', () => {
    for (const text of ['npx -y pkg', 'claude mcp list', 'code .', 'codex mcp add', 'claude']) {
      expect(readAddCommand(text)).toBeNull();
    }
  });
});
