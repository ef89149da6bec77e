import { describe, expect, it } from 'vitest';
import { demoServer, problem, scopeFile, stdioServer } from '@/test-support/servers';
import { fileKey, fileOfKey, groupServers, sharedGroups } from './groups';

const named = (name: string, scope: 'user' | 'project' | 'local') =>
  stdioServer({ name, scope, line: 1, command: name, args: [] });

const idOf = (name: string) => named(name, 'user').id;

describe('groupServers', () => {
  it('goes from the project to the built-in server, whatever order they come in', () => {
    const groups = groupServers(
      [demoServer(), named('c', 'user'), named('b', 'local'), named('a', 'project')],
      [scopeFile('user'), scopeFile('project'), scopeFile('local')],
    );
    expect(groups.map(({ title, servers }) => [title, servers.map(({ name }) => name)])).toEqual([
      ['Project', ['a']],
      ['Local', ['b']],
      ['User', ['c']],
      ['Built in', ['Demo']],
    ]);
  });

  it('puts the servers that the user ordered first, each within its group', () => {
    const all = [named('a', 'user'), named('b', 'user'), named('c', 'user'), named('d', 'project')];
    const groups = groupServers(all, [scopeFile('user')], ['d', 'c', 'a'].map(idOf));
    const names = groups.map(({ servers }) => servers.map(({ name }) => name));
    expect(names).toEqual([['d'], ['c', 'a', 'b']]);
  });

  it('shows a broken file though no server of it is known', () => {
    const broken = scopeFile('project', {
      state: 'broken',
      problems: [problem(3, 1, 'Not JSON.')],
    });
    const groups = groupServers([], [scopeFile('user'), broken]);
    expect(groups.map(({ id }) => id)).toEqual(['mcp-json:project']);
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
    const files = [scopeFile('user'), scopeFile('project')];
    const before = groupServers([a, b], files);
    const after = sharedGroups(before, groupServers([a, b, other], files));
    expect(after[0]).toBe(before[0]);
    expect(after[1]?.servers).toEqual([b, other]);
    const renamed = [scopeFile('user'), { ...scopeFile('project'), label: 'another' }];
    expect(sharedGroups(after, groupServers([a, b, other], renamed))[0]).not.toBe(after[0]);
  });
});
