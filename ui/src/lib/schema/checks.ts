/**
 * Has values checked against schemas by a worker, so that no schema of a server can hold up the
 * window. A check that does not end in time ends with its worker; the next one gets another.
 */
import type { Verdict } from './validate';

export interface CheckQuestion {
  id: number;
  schema: string;
  /** JSON. */
  value: string;
}

export interface CheckAnswer {
  /** 0 when the worker says that it is ready. */
  id: number;
  verdict: Verdict | undefined;
}

/** The part of a worker that is needed. */
export interface CheckWorker {
  onmessage: ((event: MessageEvent<CheckAnswer>) => void) | null;
  onerror: ((event: ErrorEvent) => void) | null;
  postMessage(question: CheckQuestion): void;
  terminate(): void;
}

/** Milliseconds that one check may take. */
export const CHECK_TIMEOUT = 1_000;

/** Milliseconds that a worker may take to be loaded, on a machine that does other things too. */
const START_TIMEOUT = 20_000;

/** The number of checks in a row without an end after which a schema is not checked any more. */
const MAX_TRIES = 2;

/** Schemas that are remembered for that. */
const MAX_VERDICTS = 100;

/** Bytes, roughly, of a schema or a value that is worth sending to a worker. */
const MAX_LENGTH = 4 * 1024 * 1024;

const TOO_LARGE: Verdict = { state: 'unchecked', reason: 'too-large' };
const NO_CHECKER: Verdict = { state: 'unchecked', reason: 'no-checker' };

interface Check {
  question: CheckQuestion;
  signal: AbortSignal | undefined;
  done(verdict: Verdict): void;
}

/** One worker, and the checks that wait for it. */
export class Checks {
  private worker: CheckWorker | undefined;
  private isReady = false;
  private waiting: Check[] = [];
  private running: Check | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private readonly failures = new Map<string, number>();
  private lastId = 0;

  constructor(private readonly start: () => CheckWorker) {}

  /**
   * Checks a value, both as JSON. A check that was called off before it began never ends:
   * nothing waits for it.
   */
  check(schema: string, value: string, signal?: AbortSignal): Promise<Verdict> {
    const isHopeless = (this.failures.get(schema) ?? 0) >= MAX_TRIES;
    if (isHopeless || schema.length > MAX_LENGTH || value.length > MAX_LENGTH) {
      return Promise.resolve(TOO_LARGE);
    }
    this.lastId += 1;
    const question = { id: this.lastId, schema, value };
    return new Promise((done) => {
      this.waiting.push({ question, signal, done });
      this.next();
    });
  }

  private next() {
    if (this.running !== undefined) return;
    this.waiting = this.waiting.filter(({ signal }) => !signal?.aborted);
    const check = this.waiting.shift();
    if (check === undefined) return;
    this.running = check;
    try {
      this.worker ??= this.started();
    } catch {
      this.finish(NO_CHECKER);
      return;
    }
    if (this.isReady) this.ask();
    else this.timer = setTimeout(() => this.abandon(NO_CHECKER), START_TIMEOUT);
  }

  private started(): CheckWorker {
    const worker = this.start();
    worker.onmessage = ({ data: { id, verdict } }) => {
      if (id === 0) {
        this.isReady = true;
        if (this.running !== undefined) this.ask();
      } else if (id === this.running?.question.id && verdict !== undefined) {
        this.failures.delete(this.running.question.schema);
        this.finish(verdict);
      }
    };
    worker.onerror = () => this.abandon(NO_CHECKER);
    return worker;
  }

  private ask() {
    if (this.running === undefined) return;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      const { schema } = this.running?.question ?? {};
      if (schema !== undefined) this.remember(schema);
      this.abandon(TOO_LARGE);
    }, CHECK_TIMEOUT);
    this.worker?.postMessage(this.running.question);
  }

  private remember(schema: string) {
    const failures = (this.failures.get(schema) ?? 0) + 1;
    this.failures.delete(schema);
    this.failures.set(schema, failures);
    const [oldest] = this.failures.keys();
    if (this.failures.size > MAX_VERDICTS && oldest !== undefined) this.failures.delete(oldest);
  }

  /** Ends the worker with the check that it is at. */
  private abandon(verdict: Verdict) {
    this.worker?.terminate();
    this.worker = undefined;
    this.isReady = false;
    this.finish(verdict);
  }

  private finish(verdict: Verdict) {
    clearTimeout(this.timer);
    const check = this.running;
    this.running = undefined;
    check?.done(verdict);
    this.next();
  }
}

const checks = new Checks(
  () =>
    new Worker(new URL('./check-worker.ts', import.meta.url), { type: 'module' }) as CheckWorker,
);

/** Checks a value against a schema, both as JSON, without holding up the window. */
export function checkValue(schema: string, value: string, signal?: AbortSignal): Promise<Verdict> {
  return checks.check(schema, value, signal);
}
