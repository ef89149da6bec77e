/** A kind of term of the traffic filter, as its help explains it. */
interface FilterTerm {
  readonly form: string;
  readonly meaning: string;
  readonly example: string;
}

/** The language of the traffic filter. The host reads it; this is what the user is told of it. */
export const FILTER_TERMS: readonly FilterTerm[] = [
  { form: 'word', meaning: 'Somewhere in the row or in the message', example: 'search_files' },
  { form: '"words"', meaning: 'The same, with the spaces between', example: '"two words"' },
  { form: '/…/', meaning: 'The same, by a regular expression', example: '/77[0-9]7/' },
  { form: 'method:', meaning: 'A part of the method', example: 'method:tools/call' },
  { form: 'tool:', meaning: 'A part of the name of the tool', example: 'tool:search_files' },
  {
    form: 'status:',
    meaning: 'ok, error, pending, cancelled, unanswered, or a code',
    example: 'status:-32602',
  },
  { form: 'level:', meaning: 'The level of a log message', example: 'level:>=warning' },
  { form: 'from:', meaning: 'Who sent it: server or client', example: 'from:server' },
  { form: 'server:', meaning: 'A part of the server’s name', example: 'server:filesystem' },
  { form: 'project:', meaning: 'A part of the path of its project', example: 'project:acme' },
  {
    form: 'time:',
    meaning: 'Before or after; <5min: in the last 5 minutes',
    example: 'time:>14:02',
  },
  { form: 'dur:', meaning: 'Longer or shorter than: us, ms, s, min', example: 'dur:>200ms' },
  { form: 'size:', meaning: 'Larger or smaller than: b, kb, mb, gb', example: 'size:>=1mb' },
  {
    form: 'kind:',
    meaning: 'request, notification, log, http, oauth, stderr or phase',
    example: 'kind:log',
  },
  {
    form: 'is:',
    meaning: 'bookmarked: has a bookmark; check: of a check or the doctor, which are left out else',
    example: 'is:check',
  },
  { form: 'note:', meaning: 'A part of the note of its bookmark', example: 'note:"ask Ada"' },
  { form: 'id:', meaning: 'The number in the first column', example: 'id:12405' },
  { form: '-', meaning: 'Before any term: not that', example: '-method:ping' },
];

/** A mistake in a filter; it lies from the character `start` to the one before `end`. */
export interface FilterMistake {
  readonly message: string;
  readonly start: number;
  readonly end: number;
}

/** A filter's text, taken apart around a mistake in it. */
interface MarkedText {
  readonly before: string;
  readonly wrong: string;
  readonly after: string;
}

/**
 * Finds the mistake that `problem` tells of. The host counts characters, of which some are two
 * of the units in which JavaScript counts.
 */
export function markProblem(text: string, problem: FilterMistake): MarkedText {
  const characters = [...text];
  const start = Math.min(problem.start, characters.length);
  const end = Math.max(start, Math.min(problem.end, characters.length));
  return {
    before: characters.slice(0, start).join(''),
    wrong: characters.slice(start, end).join(''),
    after: characters.slice(end).join(''),
  };
}

/** Describes a mistake with its place: `Character 8: Use < or >.` */
export function describeProblem(problem: FilterMistake): string {
  return `Character ${problem.start + 1}: ${problem.message}`;
}
