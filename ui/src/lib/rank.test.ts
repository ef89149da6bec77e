import { describe, expect, it } from 'vitest';
import { foundIn, match, RANK, ranked } from './rank';

const rank = (text: string, search: string) => match(text, search)?.rank;

describe('a search', () => {
  it('ranks the whole before its beginning, a word, the inside of one, and letters', () => {
    expect(rank('objects', 'Objects')).toBe(RANK.exact);
    expect(rank('objects', 'obj')).toBe(RANK.prefix);
    expect(rank('schema_objects', 'obj')).toBe(RANK.word);
    expect(rank('schemaObjects', 'obj')).toBe(RANK.word);
    expect(rank('schema_objects', 'bject')).toBe(RANK.inside);
    expect(rank('schema_objects', 'schobj')).toBe(RANK.fuzzy);
    expect(rank('schema_arrays', 'objects')).toBeUndefined();
  });

  it('finds letters only where words begin or go on', () => {
    expect(rank('make_it', 'mit')).toBe(RANK.fuzzy);
    expect(rank('sum_of', 'so')).toBe(RANK.fuzzy);
    expect(rank('make_it', 'akt')).toBeUndefined();
    expect(rank(`${'a_'.repeat(100)}`, `${'a'.repeat(60)}b`)).toBeUndefined();
  });

  it('puts what is named so before what only says so, and keeps the order otherwise', () => {
    const tools = [
      { name: 'schema_arrays', more: ['Lists of objects'] },
      { name: 'schema_objects' },
      { name: 'other', more: ['objects'] },
      { name: 'objects' },
      { name: 'echo' },
    ];
    const names = (search: string) => ranked(tools, search, (tool) => tool).map(({ name }) => name);
    expect(names('objects')).toEqual(['objects', 'schema_objects', 'schema_arrays', 'other']);
    expect(names('schobj')).toEqual(['schema_objects']);
    expect(names('objects lists')).toEqual(['schema_arrays']);
    expect(names('')).toHaveLength(5);
  });

  it('says what to highlight', () => {
    expect(foundIn('schema_objects', 'obj')).toEqual([[7, 10]]);
    expect(foundIn('schema_objects', 'schobj')).toEqual([
      [0, 3],
      [7, 10],
    ]);
    expect(foundIn('read_file', 'file read')).toEqual([
      [0, 4],
      [5, 9],
    ]);
    // Letters here and there in a sentence are no find.
    expect(foundIn('Send comments here', 'sch', false)).toEqual([]);
    expect(foundIn('Lists the objects', 'objects', false)).toEqual([[10, 17]]);
    expect(foundIn('echo', '')).toEqual([]);
  });

  it('matches characters whose lower case is longer, without a place', () => {
    expect(match('İstanbul', 'stanbul')).toEqual({ rank: RANK.inside, found: [] });
  });
});
