import { FILTER_TERMS } from '@/lib/filter';
import { match, RANK, ranked } from '@/lib/rank';

/** Names on record that a term can have as its value. */
export interface FilterFacts {
  readonly servers: readonly string[];
  readonly projects: readonly string[];
  readonly methods: readonly string[];
  readonly tools: readonly string[];
}

/** One way to go on with the term at the caret. */
export interface FilterCompletion {
  /** The term with it. */
  readonly text: string;
  readonly meaning: string;
}

/** The ways to go on, and the part of the filter that they take the place of. */
export interface FilterCompletions {
  readonly start: number;
  readonly end: number;
  readonly items: readonly FilterCompletion[];
}

const MAX_ITEMS = 8;

const VALUES: Readonly<Record<string, readonly string[]>> = {
  status: ['ok', 'error', 'pending', 'cancelled', 'unanswered'],
  kind: ['request', 'notification', 'log', 'http', 'oauth', 'stderr', 'phase'],
  level: [
    '>=warning',
    'debug',
    'info',
    'notice',
    'warning',
    'error',
    'critical',
    'alert',
    'emergency',
  ],
  from: ['server', 'client'],
  time: ['<5min', '<1h', '>14:02'],
  dur: ['>200ms', '>1s', '<10ms'],
  size: ['>1kb', '>1mb', '<100b'],
  is: ['bookmarked', 'check'],
};

/** Methods that are there before any was recorded. */
const METHODS = [
  'tools/call',
  'tools/list',
  'resources/read',
  'prompts/get',
  'notifications/message',
  'notifications/progress',
  'initialize',
];

/** Completions of the term at the caret; null while there is none, or it is complete. */
export function completions(
  text: string,
  caret: number,
  facts: FilterFacts,
): FilterCompletions | null {
  const start = wordStart(text, caret);
  const written = text.slice(start, caret);
  const term = written.startsWith('-') ? written.slice(1) : written;
  // Of what stands in quotes or slashes nothing is known.
  if (term === '' || /["/]/.test(term[0] ?? '') || /^\S/.test(text.slice(caret))) return null;
  const sign = written.slice(0, written.length - term.length);
  const [, key, value] = /^([a-z]+):(.*)$/i.exec(term) ?? [];
  const items = key === undefined ? keysFor(term) : valuesFor(key, value ?? '', facts);
  const others = items.filter((item) => item.text !== term);
  if (others.length === 0 || others.length < items.length) return null;
  return {
    start,
    end: caret,
    items: others.slice(0, MAX_ITEMS).map((item) => ({ ...item, text: sign + item.text })),
  };
}

/** The filter with a completion, and where the caret is then. */
export function complete(
  text: string,
  { start, end }: FilterCompletions,
  { text: term }: FilterCompletion,
): { text: string; caret: number } {
  // A name goes on with its value, a term with the next.
  const added = term.endsWith(':') ? term : `${term} `;
  const rest = text.slice(end).replace(/^\s+/, '');
  return { text: text.slice(0, start) + added + rest, caret: start + added.length };
}

function wordStart(text: string, caret: number): number {
  let isQuoted = false;
  let start = 0;
  for (let at = 0; at < caret; at += 1) {
    if (text[at] === '"') isQuoted = !isQuoted;
    else if (!isQuoted && /\s/.test(text[at] ?? '')) start = at + 1;
  }
  return start;
}

function keysFor(term: string): readonly FilterCompletion[] {
  const keys = FILTER_TERMS.filter(({ form }) => /^[a-z]+:$/.test(form));
  return keys
    .filter(({ form }) => match(form, term)?.rank === RANK.prefix)
    .map(({ form, meaning }) => ({ text: form, meaning }));
}

function valuesFor(key: string, value: string, facts: FilterFacts): readonly FilterCompletion[] {
  const names: Readonly<Record<string, readonly string[]>> = {
    ...VALUES,
    server: facts.servers,
    project: facts.projects,
    method: [...new Set([...METHODS, ...facts.methods])],
    tool: facts.tools,
  };
  const values = names[key.toLowerCase()] ?? [];
  return ranked(values, value.replaceAll('"', ''), (name) => ({ name })).map((name) => ({
    text: /\s/.test(name) ? `${key}:"${name}"` : `${key}:${name}`,
    meaning: '',
  }));
}
