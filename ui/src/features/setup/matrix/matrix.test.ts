import { expect, it } from 'vitest';
import type { ExplanationView } from '@/backend/bindings';
import { SCOPES } from '@/test-support/configuration';
import { cellNote } from './cell-notes';
import { differencesOf } from './differences';
import { isShown, matrixColumns, matrixRows, switchAction } from './matrix-rows';

const columns = matrixColumns(SCOPES.configuration);
const rows = matrixRows(columns, '');
const rowOf = (name: string) => {
  const row = rows.find((one) => one.name === name);
  if (!row) throw new Error(`no row ${name}`);
  return row;
};
const columnOf = (client: string) => {
  const column = columns.find((one) => one.client === client);
  if (!column) throw new Error(`no column ${client}`);
  return column;
};
const explained = (fields: Record<string, string>) =>
  ({
    fields: Object.entries(fields).map(([field, value]) => ({ field, values: [value] })),
  }) as unknown as ExplanationView;

it('has each server once, with a column for each client that is here', () => {
  expect(columns.map(({ title }) => title)).toEqual([
    'Sightglass',
    'Claude Code',
    'VS Code',
    'Cursor',
  ]);
  expect(rows.filter(({ name }) => name === 'github')).toHaveLength(1);
});

it('names the fields in which two clients differ, but for the switch itself', () => {
  const usual = explained({ command: 'npx', 'args[0]': '-y', 'env.A': '1', disabled: 'true' });
  const other = explained({ command: 'npx', 'args[0]': '--yes', 'env.B': '2' });
  expect(differencesOf(usual, other)).toEqual([
    { field: 'args[0]', usual: '-y', value: '--yes', lackedBy: null },
    { field: 'env.A', usual: '1', value: null, lackedBy: null },
    { field: 'env.B', usual: null, value: '2', lackedBy: null },
  ]);
});

it('says beside a switch what is special, and in a sentence what it means', () => {
  const differs = { field: 'args[1]', usual: 'a', value: 'b', lackedBy: null };
  const row = rowOf('postgres');
  const client = [...row.cells].find(([, cell]) => cell.differs)?.[0];
  expect(client).toBeDefined();
  const note = cellNote(row, columnOf(client ?? ''), [differs, { ...differs, field: 'env.X' }]);
  expect(note.short).toBe('≠ args[1] +1');
  expect(note.sentence).toMatch(
    /^Differs from most clients in args\[1\] and env\.X\. From .+:\d+\.$/,
  );

  const lack = { field: 'cwd', usual: null, value: '/x', lackedBy: row.from.client };
  expect(cellNote(row, columnOf(client ?? ''), [lack])).toMatchObject({
    short: 'with cwd',
    tone: 'idle',
  });

  expect(cellNote(rowOf('figma'), columnOf('claude-code'), undefined)).toMatchObject({
    short: null,
    sentence: 'Not in Claude Code. Switch it on to copy it to ~/.claude.json.',
  });
  const figma = rowOf('figma');
  const cells = [...figma.cells].map(([of, cell]) => [of, { ...cell, state: 'off' }] as const);
  expect(
    cellNote({ ...figma, cells: new Map(cells) }, columnOf('cursor'), undefined),
  ).toMatchObject({
    short: 'disabled',
    sentence: expect.stringMatching(/^Disabled in .+:\d+: its entry stays/),
  });
  expect(cellNote(rowOf('search'), columnOf('mcp-json'), undefined)).toMatchObject({
    short: '✕ invalid',
    tone: 'bad',
  });
});

it('tells a client that starts programs only from one that is reached', () => {
  const column = columnOf('cursor');
  const expresses = { ...column.view.expresses, transports: ['stdio' as const] };
  const programs = { ...column, view: { ...column.view, expresses } };
  expect(cellNote(rowOf('linear'), programs, undefined)).toMatchObject({
    short: 'programs only',
    sentence: 'Cursor starts programs only: it cannot hold addresses.',
  });
  expect(switchAction(rowOf('linear'), programs)).toBeNull();
});

it('finds the servers that differ, and those that need attention', () => {
  const shown = (show: 'attention' | 'differ') =>
    rows.filter((row) => isShown(row, show)).map(({ name }) => name);
  expect(shown('differ')).toContain('postgres');
  expect(isShown(rowOf('postgres'), 'differ', undefined, new Set(['postgres']))).toBe(false);
  expect(shown('attention')).toEqual(expect.arrayContaining(['deploy', 'search', 'shell']));
  expect(shown('attention')).not.toContain('figma');
  expect(cellNote(rowOf('deploy'), columnOf('mcp-json'), undefined).short).toBeNull();
  // One that cannot be connected as it is has the mark of the sidebar, and is counted.
  const { server } = rowOf('figma').cells.get('cursor')?.source ?? { server: null };
  expect(isShown(rowOf('figma'), 'attention', new Set(server ? [server] : []))).toBe(true);
});
