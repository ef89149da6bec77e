import MarkdownIt from 'markdown-it';
import { describe, expect, it } from 'vitest';
import { readDelimited, writeDelimited, writeMarkdown } from './delimited';
import { readJsonTable } from './json-table';
import { isNumeric, MAX_COLUMNS, MAX_ROWS, sortedRows } from './table';

describe('delimited text', () => {
  it('is read with quotes, breaks in fields and any end of line', () => {
    const table = readDelimited('\ufeffa,b\r\n"x, ""y""","1\n2"\n\n3', ',');
    expect(table.columns).toEqual(['a', 'b']);
    expect(table.rows).toEqual([['x, "y"', '1\n2'], ['3']]);
    expect(table.isCut).toBe(false);
    expect(readDelimited('a\tb\n1,5\t2', '\t').rows).toEqual([['1,5', '2']]);
  });

  it('is taken as it stands where it is broken', () => {
    expect(readDelimited('a\n"never closed, ', ',').rows).toEqual([['never closed, ']]);
    expect(readDelimited('a\nb "c" d,e', ',')).toMatchObject({
      columns: ['a', '2'],
      rows: [['b "c" d', 'e']],
    });
    expect(readDelimited('', ',')).toEqual({ columns: [], rows: [], isCut: false });
  });

  it('is bounded', () => {
    const long = readDelimited(`a\n${'1\n'.repeat(MAX_ROWS + 5)}`, ',');
    expect([long.rows.length, long.isCut]).toEqual([MAX_ROWS, true]);
    const wide = readDelimited(`${'a,'.repeat(MAX_COLUMNS + 5)}\n1`, ',');
    expect([wide.columns.length, wide.isCut]).toEqual([MAX_COLUMNS, true]);
  });

  it('is written so that it reads the same again', () => {
    const columns = ['a', 'b'];
    const rows = [
      ['x, "y"', 'line\nbreak'],
      [undefined, '1.5e3'],
    ];
    const again = readDelimited(writeDelimited(columns, rows, ','), ',');
    expect(again.rows).toEqual([
      ['x, "y"', 'line\nbreak'],
      ['', '1.5e3'],
    ]);
    expect(writeDelimited(columns, rows, '\t')).toBe('a\tb\nx, "y"\tline break\n\t1.5e3\n');
  });

  it('holds nothing that a spreadsheet takes for a formula', () => {
    for (const text of [
      '=1+1',
      '+1+cmd',
      '-1-1',
      '@SUM(1)',
      ' =1',
      '\u200b=1',
      '\u00a0=1',
      '\uff1d1',
      '\uff0b1',
      '\uff0d1',
      '\uff201',
      '\tx',
      '\rx',
    ]) {
      const csv = readDelimited(writeDelimited([text], [[text]], ','), ',');
      expect([csv.columns, csv.rows]).toEqual([[`'${text}`], [[`'${text}`]]]);
      const tsv = writeDelimited([text], [['a', text]], '\t');
      expect(tsv).toMatch(/^'.+\na\t'.+\n$/);
    }
    // With quotes around it, which CSV doubles and a spreadsheet takes away from what is pasted.
    expect(writeDelimited([], [['a', '"=1+1"']], '\t')).toBe('\na\t\'"=1+1"\n');
    for (const number of ['-5', '+5', '0.1', '-.5', '1e-9', '12.']) {
      expect(writeDelimited([], [[number]], ',')).toBe(`\r\n${number}\r\n`);
    }
  });

  it('is a table of Markdown in which a text stands for itself', () => {
    const written = writeMarkdown(
      ['a|b', 'n'],
      [
        ['1\n2 \\', '-1.5'],
        ['<img src=x>', '`@all`'],
      ],
    );
    expect(written).toBe(
      '| ` a\\|b ` | n |\n| --- | --- |\n| 1<br>` 2 \\ ` | -1.5 |\n| ` <img src=x> ` | `` `@all` `` |\n',
    );
    expect(writeMarkdown(['www.evil.test'], [])).toContain('` www.evil.test `');
  });

  it('is a table of Markdown that nothing in it leaves', () => {
    const markdown = new MarkdownIt({ html: true, linkify: true });
    const attacks = [
      '<img src=http://evil.test/pixel>',
      '![p](http://evil.test) [l](http://evil.test)',
      'http://evil.test www.evil.test a@evil.test',
      '` | <img src=x> | `',
      '\\| <img src=x> \\\\| `',
      '\n# Forged\n\n| - |',
      '\u2028\u0085<h1>Forged</h1>',
    ];
    const says = (html: string) =>
      html.match(/<(?!\/?(table|thead|tbody|tr|th|td|code|p|br)\b)\w+/g);
    for (const attack of attacks) {
      // What it is let out of the table.
      if (!attack.includes('\n'))
        expect(says(markdown.render(attack.replaceAll('`', '')))).not.toBeNull();
      const written = writeMarkdown([attack, 'b'], [['1', attack]]);
      const html = markdown.render(written);
      expect(says(html)).toBeNull();
      expect(html.match(/<t[hd]>/g)).toHaveLength(4);
    }
  });
});

describe('JSON', () => {
  it('is a table where it is an array of flat objects', () => {
    const table = readJsonTable('[{"a":9007199254740993,"b":1.10},{"b":null,"c":"x"}]');
    expect(table).toEqual({
      columns: ['a', 'b', 'c'],
      rows: [
        ['9007199254740993', '1.10', undefined],
        [undefined, 'null', 'x'],
      ],
      isCut: false,
    });
    expect(readJsonTable('{"result":[{"a":true}]}')?.rows).toEqual([['true']]);
  });

  it('is none otherwise', () => {
    for (const text of [
      '[]',
      '[{}]',
      '[1]',
      '[{"a":[]}]',
      '{"a":1}',
      '{}',
      '{"a":[{}],"b":1}',
      '[',
      'x',
    ]) {
      expect(readJsonTable(text), text).toBeUndefined();
    }
  });
});

it('sorts numbers by their value, digit by digit, and leaves empty cells at the end', () => {
  const rows = [
    ['10'],
    ['9007199254740993'],
    ['9007199254740992'],
    [undefined],
    ['2.5'],
    ['b'],
    ['a'],
  ];
  const table = { columns: ['n'], rows, isCut: false };
  const sorted = (isDescending: boolean) =>
    sortedRows(table, { column: 0, isDescending }).map(([cell]) => cell);
  expect(sorted(false)).toEqual([
    '2.5',
    '10',
    '9007199254740992',
    '9007199254740993',
    'a',
    'b',
    undefined,
  ]);
  expect(sorted(true)).toEqual([
    'b',
    'a',
    '9007199254740993',
    '9007199254740992',
    '10',
    '2.5',
    undefined,
  ]);
  expect(sortedRows(table, null)).toBe(rows);
  expect(isNumeric(table, 0)).toBe(false);
  expect(isNumeric({ ...table, rows: rows.slice(0, 5) }, 0)).toBe(true);
});
