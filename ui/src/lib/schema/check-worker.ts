/**
 * Checks values against schemas on a thread of its own, which `checks.ts` ends when it takes too
 * long: neither a validator nor the engine's regular expressions can be stopped otherwise.
 */
import { parseExact } from '@/lib/json/exact';
import type { CheckAnswer, CheckQuestion } from './checks';
import { SchemaChecker } from './validate';

/** Schemas whose checkers are kept. */
const MAX_CHECKERS = 8;

const checkers = new Map<string, SchemaChecker>();

function checkerFor(schema: string): SchemaChecker {
  const checker = checkers.get(schema) ?? new SchemaChecker(schema);
  checkers.delete(schema);
  checkers.set(schema, checker);
  const [oldest] = checkers.keys();
  if (checkers.size > MAX_CHECKERS && oldest !== undefined) checkers.delete(oldest);
  return checker;
}

const answer = (message: CheckAnswer) => self.postMessage(message);

self.onmessage = ({ data }: MessageEvent<CheckQuestion>) => {
  answer({ id: data.id, verdict: checkerFor(data.schema).verdict(parseExact(data.value)) });
};

// Says that it has been loaded, which is when the time of a check begins.
answer({ id: 0, verdict: undefined });
