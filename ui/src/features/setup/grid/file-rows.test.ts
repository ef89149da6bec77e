import { describe, expect, it } from 'vitest';
import { hugeConfiguration, SCOPES } from '@/test-support/configuration';
import { columnsOf, filterRows, fullLabel, rowsOf, targetOfKey } from './file-rows';

const view = SCOPES.configuration;
const rows = rowsOf(view, 'mcp-json');
const rowOf = (name: string) => {
  const row = rows.find((candidate) => candidate.name === name);
  if (!row) throw new Error(`no row ${name}`);
  return row;
};
const labels = (name: string) =>
  Object.fromEntries(
    [...rowOf(name).cells].map(([key, { status }]) => [targetOfKey(key).scope, fullLabel(status)]),
  );

describe('the grid of a client', () => {
  it('has the strongest file first', () => {
    expect(columnsOf(view, 'mcp-json').map(({ file }) => file.title)).toEqual([
      'Local',
      'Project',
      'Project root',
      'User',
      'Chimera',
    ]);
  });

  it('says of each definition whether it counts, and what shadows it', () => {
    expect(labels('github')).toEqual({
      local: 'Counts here',
      'project-root': 'Shadowed by Local',
      user: 'Shadowed by Local',
    });
    expect(labels('linear')).toEqual({ project: 'Defined here' });
  });

  it('says what keeps a definition from counting', () => {
    expect(labels('slack')).toEqual({ user: 'Disabled' });
    expect(labels('deploy')).toEqual({ project: 'Needs approval' });
    expect(labels('shell')).toEqual({ project: 'Refused by policy' });
    expect(labels('search').project).toMatch(/^Invalid \d+:5$/);
  });

  it('says in one phrase how a server stands where its files are not shown', () => {
    expect(rowOf('github').status.label).toBe('Counts in Local, shadows 2');
    expect(rowOf('linear').status.label).toBe('Defined in Project');
  });

  it('marks a file that cannot be read with the place of its mistake', () => {
    const broken = columnsOf(view, 'vscode').find(({ file }) => file.state === 'broken');
    expect(broken?.note?.label).toMatch(/^✕ \d+:\d+$/);
  });
});

describe('the filter', () => {
  const names = (text: string, show: Parameters<typeof filterRows>[2] = 'all') =>
    filterRows(rows, text, show).map(({ name }) => name);

  it('finds names, commands and states, and wants every word', () => {
    expect(names('LINEAR')).toEqual(['linear']);
    expect(names('access-mode=restricted')).toEqual(['postgres']);
    expect(names('shadowed local')).toEqual(['github', 'time']);
    expect(names('github nothing')).toEqual([]);
  });

  it('leaves what needs attention, or what several files define', () => {
    expect(names('', 'attention')).toEqual(['postgres', 'deploy', 'search', 'shell']);
    expect(names('', 'several')).toEqual(['memory', 'postgres', 'github', 'time']);
  });

  it('takes five hundred servers over twenty files', () => {
    const huge = hugeConfiguration(500);
    const all = rowsOf(huge, 'mcp-json');
    expect([all.length, columnsOf(huge, 'mcp-json').length]).toEqual([500, 20]);
    expect(filterRows(all, 'deploy', 'all')).not.toHaveLength(0);
  });
});
