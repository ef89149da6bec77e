import { describe, expect, it } from 'vitest';
import { fakeBackend } from '@/backend/fake/fake-backend';
import { recognise } from './recognise';

const backend = fakeBackend('scopes');

async function found(text: string) {
  const { words, drafts, notes } = await recognise(text, await backend.configuration(), backend);
  return { words, names: drafts.map(({ name }) => name), notes };
}

describe('recognise', () => {
  it('knows the text of a file, with one server or several', async () => {
    expect(await found('{"mcpServers":{"a":{"command":"x"},"b":{"url":"https://b.dev"}}}')).toEqual(
      {
        words: 'A .mcp.json snippet with 2 servers',
        names: ['a', 'b'],
        notes: [],
      },
    );
  });

  it('knows a part of a file', async () => {
    expect((await found('"files": { "command": "npx" },')).names).toEqual(['files']);
    expect((await found('{ "files": { "command": "npx" } }')).names).toEqual(['files']);
    expect((await found('{ "command": "npx", "args": [] }')).names).toEqual(['server']);
  });

  it('says where JSON is wrong', async () => {
    const { words, notes } = await found('{\n  "mcpServers": {,\n}');
    expect(words).toBe('No server in it');
    expect(notes[0]).toMatch(/^Line 2, column \d+: /);
  });

  it('knows a server.json and what it wants filled in', async () => {
    const described = JSON.stringify({
      name: 'io.github.acme/weather-mcp',
      packages: [
        {
          registryType: 'npm',
          identifier: '@acme/weather',
          version: '1.2.0',
          environmentVariables: [
            { name: 'WEATHER_KEY', description: 'A key', isRequired: true, isSecret: true },
          ],
        },
      ],
      remotes: [{ type: 'streamable-http', url: 'https://weather.acme.dev/mcp' }],
    });
    expect(await found(described)).toEqual({
      words: 'A server.json with 2 ways to run it',
      names: ['weather'],
      notes: ['WEATHER_KEY is required: A key', 'The first way is used.'],
    });
  });

  it('knows addresses, packages and commands', async () => {
    expect(await found('https://mcp.linear.app/mcp')).toMatchObject({
      words: 'An address',
      names: ['linear'],
    });
    expect(await found('@modelcontextprotocol/server-memory')).toMatchObject({
      words: 'An npm package',
      names: ['memory'],
    });
    expect(await found('mcp-server-time')).toMatchObject({
      words: 'A PyPI package',
      names: ['time'],
    });
    expect((await found('uvx mcp-server-git --repository .')).words).toBe('A command line');
    expect((await found('claude mcp add a -- b')).words).toBe('A command of claude');
  });

  it('does not take a sentence for a server', async () => {
    expect((await found('')).names).toEqual([]);
  });
});
