import { describe, expect, it } from 'vitest';
import type { Candidate, Draft } from '@/backend/bindings';
import { stubBackend } from '@/test-support/backend';
import { isOneServer, recognise, sourceOf } from './recognise';

describe('sourceOf', () => {
  it('tells addresses and packages from other texts', () => {
    expect(sourceOf(' https://mcp.linear.app/mcp\n').type).toBe('url');
    expect(sourceOf('@modelcontextprotocol/server-memory@1.2').type).toBe('npm');
    expect(sourceOf('mcp-server-time').type).toBe('pypi');
    expect(sourceOf('weather==1.2').type).toBe('pypi');
    expect(sourceOf('/home/ada/weather.mcpb').type).toBe('bundle');
    for (const [text, url] of [
      ['mcp.apify.com', 'https://mcp.apify.com'],
      ['example.com', 'https://example.com'],
      ['mcp.linear.app/sse?v=1', 'https://mcp.linear.app/sse?v=1'],
      ['mcp.example.com:8443/mcp', 'https://mcp.example.com:8443/mcp'],
      ['gateway:8080', 'https://gateway:8080'],
      ['192.168.1.20/mcp', 'https://192.168.1.20/mcp'],
      ['localhost:3000/mcp', 'http://localhost:3000/mcp'],
      ['127.0.0.1:6277', 'http://127.0.0.1:6277'],
      ['[::1]:3000', 'http://[::1]:3000'],
    ] as const) {
      expect(sourceOf(text)).toEqual({ type: 'url', url });
    }
    for (const name of ['left-pad', 'server.js', 'server-memory@1.2.3', 'socket.io@4.8.1']) {
      expect(sourceOf(name)).toEqual({ type: 'npm', package: name });
    }
    for (const file of ['server.py', 'run.sh', 'main.rs', 'notes.md', 'bundle.zip']) {
      expect(sourceOf(file).type).not.toBe('url');
    }
    for (const text of ['claude mcp add a -- b', '{"mcpServers":{}}', 'uvx mcp-server-git']) {
      expect(sourceOf(text)).toEqual({ type: 'text', text });
    }
  });
});

/** A backend that finds these servers in any text. */
const finding = (...names: string[]) =>
  stubBackend({
    listImportCandidates: async () =>
      names.map(
        (name): Candidate => ({
          draft: { name } as Draft,
          origin: 'a snippet',
          inputs: [],
          notes: [],
          leftOut: [],
          bundle: null,
        }),
      ),
  });

describe('recognise', () => {
  it('says what was pasted, and how many servers are in it', async () => {
    const found = await recognise(
      '{"mcpServers":{"a":{"command":"x"},"b":{"command":"y"}}}',
      finding('a', 'b'),
    );
    expect(found.message).toMatch(/, 2 servers$/);
    expect(found.candidates.map(({ draft }) => draft.name)).toEqual(['a', 'b']);
    expect(isOneServer(found.candidates)).toBe(false);
  });

  it('tells the ways to one server from several servers', async () => {
    const found = await recognise('{"name":"weather"}', finding('weather', 'weather'));
    expect(found.message).toBe('One server, with 2 ways to use it');
    expect(isOneServer(found.candidates)).toBe(true);
  });

  it('says why a text is not understood', async () => {
    const backend = stubBackend({
      listImportCandidates: async () => {
        throw { code: 'invalidInput', message: 'This holds no server.', hint: null };
      },
    });
    const found = await recognise('something else entirely', backend);
    expect([found.isUnderstood, found.candidates]).toEqual([false, []]);
    expect(found.message).not.toBe('');
  });
});
