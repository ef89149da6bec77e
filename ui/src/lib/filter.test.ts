import { describe, expect, it } from 'vitest';
import { describeProblem, markProblem } from './filter';

const problem = (start: number, end: number) => ({ message: 'Unknown term.', start, end });

describe('a mistake in a filter', () => {
  it('is found where the host says that it is', () => {
    expect(markProblem('method:x durr:>2', problem(9, 16))).toEqual({
      before: 'method:x ',
      wrong: 'durr:>2',
      after: '',
    });
  });

  it('is found behind characters that JavaScript counts twice', () => {
    expect(markProblem('🦀🦀 dur:x y', problem(3, 8))).toEqual({
      before: '🦀🦀 ',
      wrong: 'dur:x',
      after: ' y',
    });
  });

  it('lies within the text, also when the text became shorter meanwhile', () => {
    expect(markProblem('dur', problem(9, 16))).toEqual({ before: 'dur', wrong: '', after: '' });
  });

  it('is told with its position, counted as the user counts', () => {
    expect(describeProblem(problem(7, 9))).toBe('Character 8: Unknown term.');
  });
});
