import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { CHECK_TIMEOUT, type CheckQuestion, Checks, type CheckWorker } from './checks';
import type { Verdict } from './validate';

const FITS: Verdict = { state: 'checked', violations: [], problem: undefined };

/** A worker that answers when it is told to. */
class Double implements CheckWorker {
  onmessage: CheckWorker['onmessage'] = null;
  onerror: CheckWorker['onerror'] = null;
  asked: CheckQuestion[] = [];
  isTerminated = false;

  postMessage(question: CheckQuestion) {
    this.asked.push(question);
  }
  terminate() {
    this.isTerminated = true;
  }
  say(id: number, verdict?: Verdict) {
    this.onmessage?.({ data: { id, verdict } } as Parameters<
      NonNullable<CheckWorker['onmessage']>
    >[0]);
  }
  answerLast() {
    this.say(this.asked.at(-1)?.id ?? -1, FITS);
  }
}

function open() {
  const workers: Double[] = [];
  const checks = new Checks(() => {
    const worker = new Double();
    workers.push(worker);
    return worker;
  });
  return { checks, workers, worker: () => workers.at(-1) as Double };
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('a check begins once the worker is loaded, and ends with its verdict', async () => {
  const { checks, worker } = open();
  const verdict = checks.check('{}', '1');
  expect(worker().asked).toEqual([]);
  worker().say(0);
  worker().answerLast();
  expect(await verdict).toBe(FITS);
});

test('a check that does not end in time ends with its worker, and the next gets another', async () => {
  const { checks, workers, worker } = open();
  const first = checks.check('hostile', '1');
  const second = checks.check('{}', '2');
  worker().say(0);
  await vi.advanceTimersByTimeAsync(CHECK_TIMEOUT);
  expect(await first).toEqual({ state: 'unchecked', reason: 'too-large' });
  expect(workers).toHaveLength(2);
  expect(workers[0]?.isTerminated).toBe(true);
  worker().say(0);
  worker().answerLast();
  expect(await second).toBe(FITS);
});

test('a schema that never ends is not tried a third time', async () => {
  const { checks, workers, worker } = open();
  for (const value of ['1', '2']) {
    const verdict = checks.check('hostile', value);
    worker().say(0);
    await vi.advanceTimersByTimeAsync(CHECK_TIMEOUT);
    await verdict;
  }
  expect(await checks.check('hostile', '3')).toEqual({ state: 'unchecked', reason: 'too-large' });
  expect(workers).toHaveLength(2);
});

test('of checks that were called off while they waited none is made', async () => {
  const { checks, worker } = open();
  const running = checks.check('{}', '1');
  const ending = new AbortController();
  void checks.check('{}', '2', ending.signal);
  const last = checks.check('{}', '3');
  ending.abort();
  worker().say(0);
  worker().answerLast();
  await running;
  worker().answerLast();
  await last;
  expect(worker().asked.map(({ value }) => value)).toEqual(['1', '3']);
});

test('where no worker starts, nothing is checked and nothing waits', async () => {
  const broken = new Checks(() => {
    throw new Error('refused by the policy');
  });
  expect(await broken.check('{}', '1')).toEqual({ state: 'unchecked', reason: 'no-checker' });
  const { checks, worker } = open();
  const verdict = checks.check('{}', '1');
  worker().onerror?.({} as ErrorEvent);
  expect(await verdict).toEqual({ state: 'unchecked', reason: 'no-checker' });
});
