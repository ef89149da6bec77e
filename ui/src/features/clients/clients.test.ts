import { expect, test } from 'vitest';
import type { NameCandidate, QualifiedName, TokenTableView } from '@/backend/bindings';
import { MadeRows } from '@/components/virtual-table/array-rows';
import { tokenText } from '@/state/clients/token-sums';
import { cellText, filtered } from './cells';
import { isOn, withSwitched } from './choice/selection';
import { costRows, shareText } from './cost/cost-rows';
import { likeliest } from './names/likeliest';
import { nameRows, warningKinds } from './names/name-rows';
import { sideRows } from './sent/side-rows';

const candidate = (
  scheme: NameCandidate['scheme'],
  basis: NameCandidate['basis'],
  item: string,
): NameCandidate => ({ scheme, kind: 'tool', server: 's', item, basis });

test('what servers list is offered alone, and once for all clients that write it so', () => {
  const shown = likeliest(
    [
      candidate('claudeCode', 'form', 'x'),
      candidate('codex', 'listed', 'a'),
      candidate('opencode', 'listed', 'a'),
    ],
    'claudeCode',
  );
  expect(shown).toEqual([candidate('codex', 'listed', 'a')]);
});

test('without a listed item the client itself comes before others', () => {
  const own = candidate('claudeCode', 'knownServer', 'x');
  const other = candidate('codex', 'form', 'x');
  expect(likeliest([other, own], 'claudeCode')).toEqual([own]);
  expect(likeliest([other], 'claudeCode')).toEqual([other]);
});

const named = (kinds: QualifiedName['warnings'][number]['kind'][]): QualifiedName => ({
  kind: 'tool',
  server: 's',
  item: 'i',
  name: 'n',
  warnings: kinds.map((kind) => ({ kind, text: kind })),
});

test('a name with other characters alone is no warning, and the gravest kind comes first', () => {
  const rows = nameRows({ names: [named(['replaced']), named(['replaced', 'collision'])] });
  expect(rows.map(({ isWarning }) => isWarning)).toEqual([false, true]);
  expect(warningKinds(named(['replaced', 'collision', 'replaced']))).toEqual([
    'collision',
    'replaced',
  ]);
});

const view: Pick<TokenTableView, 'tools' | 'servers'> = {
  tools: {
    index: [1, 0],
    server: [1, 0],
    name: ['b', 'a'],
    tokens: [200, 50],
    bytes: [10, 90],
    nameTokens: [2, 1],
    descriptionTokens: [0, 9],
    schemaTokens: [198, 40],
  },
  servers: ['claude-code:one', 'claude-code:two:x'],
};

function sorted(sort: Parameters<typeof costRows>[1]) {
  const rows = costRows(view, sort);
  return Array.from({ length: rows.count }, (_, index) => rows.row(index));
}

test('tools keep the name of their server, and are measured by the heaviest', () => {
  const rows = sorted(null);
  expect(rows.map((row) => row?.server)).toEqual(['two:x', 'one']);
  expect(rows.map((row) => row?.share)).toEqual([1, 0.25]);
  expect(rows.map((row) => row?.index)).toEqual([1, 0]);
});

test('rows are sorted by figures and by names, and else stay the heaviest first', () => {
  const names = (sort: Parameters<typeof costRows>[1]) => sorted(sort).map((row) => row?.name);
  expect(names(null)).toEqual(['b', 'a']);
  expect(names({ column: 'bytes', isDescending: true })).toEqual(['a', 'b']);
  expect(names({ column: 'schema', isDescending: false })).toEqual(['a', 'b']);
  expect(names({ column: 'description', isDescending: true })).toEqual(['a', 'b']);
  expect(names({ column: 'tool', isDescending: false })).toEqual(['a', 'b']);
  expect(names({ column: 'server', isDescending: true })).toEqual(['b', 'a']);
});

test('of ten thousand tools only the rows that are shown are made, and once', () => {
  let made = 0;
  const rows = new MadeRows(10_000, (index) => {
    made += 1;
    return { index };
  });
  const shown = Array.from({ length: 40 }, (_, index) => rows.row(9_000 + index));
  expect(rows.row(9_039)).toBe(shown[39]);
  expect(made).toBe(40);
  expect(rows.row(10_000)).toBeUndefined();
});

test('an estimate is marked, and a share has one digit', () => {
  expect(tokenText(1789, true)).toBe('1,789');
  expect(tokenText(1789, false)).toBe('≈1,789');
  expect(shareText(8)).toBe('0.8 %');
});

test('lines stand beside each other as they were paired', () => {
  const detail = {
    tool: { name: 't', original: 'a\nb', sent: 'a\nc\nd' },
    changes: [],
    hasMoreChanges: false,
  };
  const lines = [
    { original: 1, sent: 1, isEqual: true },
    { original: 2, sent: 2, isEqual: false },
    { original: null, sent: 3, isEqual: false },
  ];
  expect(sideRows({ ...detail, lines })).toEqual([
    { original: 'a', sent: 'a', isEqual: true },
    { original: 'b', sent: 'c', isEqual: false },
    { original: null, sent: 'd', isEqual: false },
  ]);
  expect(sideRows({ ...detail, lines: [] })[2]).toEqual({
    original: null,
    sent: 'd',
    isEqual: true,
  });
});

test('a name that hides characters shows them, and a very long one is cut', () => {
  expect(cellText('a\u202eb')).toBe('a\\u{202e}b');
  expect(cellText('x'.repeat(1_000))).toHaveLength(301);
});

test('a filter wants every word', () => {
  const rows = ['get sum', 'get env', 'echo'];
  expect(filtered(rows, 'SUM get', (row) => row)).toEqual(['get sum']);
  expect(filtered(rows, '  ', (row) => row)).toBe(rows);
});

const both = { enabledTools: true, disabledTools: true };
const off = new Map([['a', false]]);
const on = new Map([['a', true]]);

test('a tool is on where no list names it, or the first does and the second does not', () => {
  expect(isOn({ enabled: null, disabled: [] }, 'a')).toBe(true);
  expect(isOn({ enabled: ['a'], disabled: ['a'] }, 'a')).toBe(false);
  expect(isOn({ enabled: [], disabled: [] }, 'a')).toBe(false);
});

test('a tool is switched off by the list that is there, and else by its name', () => {
  const all = { enabled: null, disabled: [] };
  expect(withSwitched(both, all, ['a', 'b'], off)).toEqual({ enabled: null, disabled: ['a'] });
  expect(withSwitched(both, { enabled: ['a', 'b'], disabled: [] }, [], off)).toEqual({
    enabled: ['b'],
    disabled: [],
  });
  const first = { enabledTools: true, disabledTools: false };
  expect(withSwitched(first, all, ['a', 'b'], off)).toEqual({ enabled: ['b'], disabled: [] });
});

test('a tool is switched on in both lists, and what is as wanted stays', () => {
  const hidden = { enabled: ['b'], disabled: ['a', 'c'] };
  expect(withSwitched(both, hidden, [], on)).toEqual({ enabled: ['b', 'a'], disabled: ['c'] });
  expect(withSwitched(both, hidden, [], off)).toEqual(hidden);
});
