import { CompletionContext } from '@codemirror/autocomplete';
import { json } from '@codemirror/lang-json';
import { ensureSyntaxTree } from '@codemirror/language';
import { EditorState } from '@codemirror/state';
import { expect, test } from 'vitest';
import type { Violation } from '@/lib/schema/violation';
import { schemaCompletion } from './completion';
import { diagnose } from './lint';

const SCHEMA = JSON.stringify({
  type: 'object',
  properties: {
    path: { type: 'string' },
    mode: { enum: ['fast', 'exact'] },
    filter: { $ref: '#/$defs/filter' },
    list: { type: 'array', items: { $ref: '#/$defs/filter' } },
  },
  required: ['path'],
  $defs: {
    filter: {
      type: 'object',
      properties: { depth: { type: 'integer' }, deep: { type: 'boolean' } },
    },
  },
});

function stateOf(doc: string): EditorState {
  const state = EditorState.create({ doc, extensions: [json()] });
  ensureSyntaxTree(state, doc.length, 5000);
  return state;
}

const problems = (doc: string, violations: Violation[] = []) =>
  diagnose(stateOf(doc), violations).map(
    ({ from, to, severity, message }) => `${severity} at ${doc.slice(from, to)}: ${message}`,
  );

/** Returns the completions at the bar in `marked`. */
const offers = (marked: string) => {
  const position = marked.indexOf('|');
  const state = stateOf(marked.replace('|', ''));
  const result = schemaCompletion(SCHEMA)(new CompletionContext(state, position, true));
  return result?.options.map(({ label }) => label) ?? [];
};

test('a syntax error is shown where it is', () => {
  const [problem] = problems('{"path": "a",}');
  expect(problem).toMatch(/^error at [},]/);
});

test('a violation is shown at its value, a missing member at its object', () => {
  const missing = {
    pointer: '/path',
    message: 'Required.',
    sentence: '`path` is missing.',
    missing: true,
  };
  const message = 'Must be one of "fast", "exact".';
  const wrong = { pointer: '/mode', message, sentence: `\`mode\`: ${message}`, missing: false };
  expect(problems('{"mode": "slow"}', [missing, wrong])).toEqual([
    'warning at {: `path` is missing.',
    'warning at "slow": Must be one of "fast", "exact".',
  ]);
});

test('names are offered by the schema, without those that are there', () => {
  expect(offers('{"path": "a", |}')).toEqual(['"mode"', '"filter"', '"list"']);
});

test('names are offered through references and inside arrays', () => {
  expect(offers('{"filter": {"|"}}')).toEqual(['"depth"', '"deep"']);
  expect(offers('{"list": [{}, {"depth": 1, |}]}')).toEqual(['"deep"']);
});

test('values of an enumeration and of a boolean are offered', () => {
  expect(offers('{"mode": |}')).toEqual(['"fast"', '"exact"']);
  expect(offers('{"filter": {"deep": |}}')).toEqual(['true', 'false']);
});
