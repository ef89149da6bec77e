import { describe, expect, it } from 'vitest';
import { fakeBackend } from '@/backend/fake/fake-backend';
import { recognise, sourceOf } from './recognise';

describe('sourceOf', () => {
  it('tells addresses and packages from other texts', () => {
    expect(sourceOf(' https://mcp.linear.app/mcp\n').kind).toBe('url');
    expect(sourceOf('@modelcontextprotocol/server-memory@1.2').kind).toBe('npm');
    expect(sourceOf('mcp-server-time').kind).toBe('pypi');
    for (const text of ['claude mcp add a -- b', '{"mcpServers":{}}', 'uvx mcp-server-git']) {
      expect(sourceOf(text)).toEqual({ kind: 'text', text });
    }
  });
});

describe('recognise', () => {
  const backend = fakeBackend('scopes');

  it('says what was pasted, and how many servers are in it', async () => {
    const found = await recognise(
      '{"mcpServers":{"a":{"command":"x"},"b":{"command":"y"}}}',
      backend,
    );
    expect(found.words).toMatch(/, 2 servers$/);
    expect(found.drafts.map(({ name }) => name)).toEqual(['a', 'b']);
  });

  it('says why a text is not understood', async () => {
    const found = await recognise('something else entirely', backend);
    expect([found.isUnderstood, found.drafts]).toEqual([false, []]);
    expect(found.words).not.toBe('');
  });
});
