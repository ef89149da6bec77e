import { expect, test } from 'vitest';
import type { ConfigurationView, ScopeFileState } from '@/backend/bindings';
import { SCOPES } from '@/test-support/configuration';
import { placesOf, usualTarget } from './places';

const view = SCOPES.configuration;

/** The view with `.mcp.json` in a state, and with Claude Code here or not. */
function having(state: ScopeFileState, hasClaude: boolean): ConfigurationView {
  const clients = view.clients.map((client) => ({
    ...client,
    found: client.client === 'claude-code' ? hasClaude : client.found,
    files: client.files.map((file) => (file.label === '.mcp.json' ? { ...file, state } : file)),
  }));
  return { ...view, clients };
}

test('each file is offered by who reads it and where that counts, once', () => {
  expect(placesOf(view, { value: null }).map(({ label }) => label)).toEqual([
    'Only in Sightglass, this project, only you – .claude/.mcp.local.json',
    'Only in Sightglass, this project – .claude/.mcp.json',
    'Claude Code, this project – .mcp.json',
    'Only in Sightglass, every project – ~/.claude/.mcp.json',
    'Chimera, every project – ~/.chimera/mcp.json',
    'Claude Code, this project, only you – ~/.claude.json',
    'Claude Code, every project – ~/.claude.json',
    'VS Code, this project – .vscode/mcp.json',
    'VS Code, every project – ~/.config/Code/User/mcp.json',
    'Cursor, this project – .cursor/mcp.json',
    'Cursor, every project – ~/.cursor/mcp.json',
  ]);
});

test('a file that is left out is left out for every client that reads it', () => {
  const project = { client: 'claude-code', scope: 'project' } as const;
  const offered = placesOf(view, { value: null, except: project });
  expect(offered.filter(({ label }) => label.endsWith(' .mcp.json'))).toEqual([]);
  // One that is chosen stays, under the client that it was chosen of.
  const chosen = placesOf(view, { value: project });
  expect(chosen.map(({ key }) => key)).toContain('claude-code:project');
});

test('a new server is saved where others read it, if there are others', () => {
  const shared = { client: 'mcp-json', scope: 'project-root' };
  const own = { client: 'mcp-json', scope: 'project' };
  expect(usualTarget(having('loaded', false))).toEqual(shared);
  expect(usualTarget(having('missing', true))).toEqual(shared);
  expect(usualTarget(having('missing', false))).toEqual(own);
  expect(usualTarget(having('broken', true))).toEqual(own);
});
