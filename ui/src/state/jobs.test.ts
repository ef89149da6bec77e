import { expect, test } from 'vitest';
import { ended, type Job, started } from './jobs';

type Count = Job<{ done: number; of: number }, string>;

test('a job runs from its start to its end, and keeps how far it came', () => {
  const job: Count = started({ done: 0, of: 3 });
  expect(job).toEqual({ done: 0, of: 3, isRunning: true, report: null, problem: null });
  expect(ended({ ...job, done: 2 }, { report: 'two', problem: null })).toEqual({
    done: 2,
    of: 3,
    isRunning: false,
    report: 'two',
    problem: null,
  });
});

test('the end of a job may say more about its progress', () => {
  const job: Count = started({ done: 0, of: 3 });
  const failed = ended(job, { report: null, problem: 'no server' }, { done: 1 });
  expect(failed).toMatchObject({ done: 1, of: 3, isRunning: false, problem: 'no server' });
});
