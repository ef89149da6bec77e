import { describe, expect, it } from 'vitest';
import type { ScopeFileView, ServerView } from '@/backend/bindings';
import { demoServer, disconnected, problem, scopeFile, stdioServer } from '@/test-support/servers';
import { fileKey, fileOfKey, groupServers, sharedGroups } from './groups';

const named = (name: string, scope: 'user' | 'project' | 'local') =>
  stdioServer({ name, scope, line: 1, command: name, args: [] });

const idOf = (name: string) => named(name, 'user').id;

const ready = (server: ServerView): ServerView => ({
  ...server,
  status: { ...disconnected(), phase: 'ready' },
});

describe('groupServers', () => {
  it('goes from what is connected to the built-in server, whatever order they come in', () => {
    const groups = groupServers(
      [
        demoServer(),
        named('d', 'user'),
        named('c', 'local'),
        named('b', 'project'),
        ready(named('a', 'user')),
      ],
      [],
    );
    expect(groups.map(({ title, servers }) => [title, servers.map(({ name }) => name)])).toEqual([
      ['Connected', ['a']],
      ['This project', ['c', 'b']],
      ['Yours', ['d']],
      ['Built in', ['Demo']],
    ]);
  });

  it('puts the servers that the user ordered first, each within its group', () => {
    const all = [named('a', 'user'), named('b', 'user'), named('c', 'user'), named('d', 'project')];
    const groups = groupServers(all, [], ['d', 'c', 'a'].map(idOf));
    const names = groups.map(({ servers }) => servers.map(({ name }) => name));
    expect(names).toEqual([['d'], ['c', 'a', 'b']]);
  });

  it('shows a broken file though no server of it is known, once however many clients read it', () => {
    const broken = scopeFile('project', {
      state: 'broken',
      problems: [problem(3, 1, 'Not JSON.')],
    });
    const again: ScopeFileView = { ...broken, target: { client: 'claude-code', scope: 'project' } };
    const groups = groupServers([], [scopeFile('user'), broken, again]);
    expect(groups.map(({ id, files }) => [id, files])).toEqual([['project', [broken]]]);
    expect(fileOfKey(fileKey(broken), [broken])).toBe(broken);
  });

  it('leaves a file once it is mended', () => {
    const mended = scopeFile('project', { state: 'loaded' });
    expect(fileOfKey(fileKey(mended), [mended])).toBeUndefined();
  });
});

describe('sharedGroups', () => {
  it('keeps the groups of which nothing has changed', () => {
    const [a, b, other] = [named('a', 'project'), named('b', 'user'), named('c', 'user')];
    const before = groupServers([a, b], []);
    const after = sharedGroups(before, groupServers([a, b, other], []));
    expect(after[0]).toBe(before[0]);
    expect(after[1]?.servers).toEqual([b, other]);
    const broken = scopeFile('project', { state: 'broken' });
    expect(sharedGroups(after, groupServers([a, b, other], [broken]))[0]).not.toBe(after[0]);
  });
});
