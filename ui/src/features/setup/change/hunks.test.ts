import { describe, expect, it } from 'vitest';
import type { DiffLine } from '@/backend/bindings';
import { hunksOf } from './DiffView';

const lines = (count: number) => Array.from({ length: count }, (_, index) => `line ${index + 1}`);
const line = (kind: DiffLine['kind'], text: string, index: number): DiffLine => ({
  kind,
  text,
  before: kind === 'added' ? null : index + 1,
  after: kind === 'removed' ? null : index + 1,
});
const kept = (count: number) => lines(count).map((text, index) => line('kept', text, index));

describe('the hunks of a difference', () => {
  it('show a change with three lines around it', () => {
    const change = [line('removed', 'line 10', 9), line('added', 'new', 9)];
    const [hunk, ...others] = hunksOf(kept(20).toSpliced(9, 1, ...change));
    expect(others).toEqual([]);
    expect(hunk?.map(({ kind, text: line }) => [kind, line])).toEqual([
      ['kept', 'line 7'],
      ['kept', 'line 8'],
      ['kept', 'line 9'],
      ['removed', 'line 10'],
      ['added', 'new'],
      ['kept', 'line 11'],
      ['kept', 'line 12'],
      ['kept', 'line 13'],
    ]);
  });

  it('show a new file whole, and nothing where nothing changes', () => {
    const added = lines(2).map((text, index) => line('added', text, index));
    expect(hunksOf(added).flat()).toHaveLength(2);
    expect(hunksOf(kept(2))).toEqual([]);
  });

  it('keep changes that are far apart apart, and show no line twice', () => {
    const diff = lines(40).map((line, index) => ({
      kind: index === 5 || index === 8 || index === 30 ? ('added' as const) : ('kept' as const),
      text: line,
      before: index,
      after: index,
    }));
    const hunks = hunksOf(diff);
    expect(hunks.map((hunk) => hunk.map(({ before }) => before))).toEqual([
      [2, 3, 4, 5, 6, 7, 8, 9, 10, 11],
      [27, 28, 29, 30, 31, 32, 33],
    ]);
  });
});
