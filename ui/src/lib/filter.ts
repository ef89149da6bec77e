/** A kind of term of the traffic filter, as its help explains it. */
export interface FilterTerm {
  readonly form: string;
  readonly meaning: string;
  readonly example: string;
}

/** The language of the traffic filter. The host reads it; this is what a person is told of it. */
export const FILTER_TERMS: readonly FilterTerm[] = [
  { form: 'words', meaning: 'In any column or in the message', example: 'search files' },
  { form: 'method:', meaning: 'The method', example: 'method:tools/call' },
  {
    form: 'status:',
    meaning: 'How it ended: pending, ok, error, cancelled, unanswered, or a code',
    example: 'status:error',
  },
  { form: 'server:', meaning: 'The server’s name', example: 'server:filesystem' },
  { form: 'dur:', meaning: 'The time until the answer', example: 'dur:>200ms' },
  { form: 'size:', meaning: 'Bytes of request and response', example: 'size:>1mb' },
  { form: 'kind:', meaning: 'What kind of row it is', example: 'kind:stderr' },
  { form: 'id:', meaning: 'The number in the first column', example: 'id:12405' },
];

/** A mistake in a filter; it lies from the character `start` to the one before `end`. */
export interface FilterMistake {
  readonly message: string;
  readonly start: number;
  readonly end: number;
}

/** A filter's text, taken apart around a mistake in it. */
export interface MarkedText {
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

/** What is wrong, and where: `Unknown term (character 8)`. */
export function describeProblem(problem: FilterMistake): string {
  const message = problem.message.replace(/\.$/, '');
  return `${message} (character ${problem.start + 1})`;
}
