import type { ServerQuestion } from '@/backend/bindings';
import { isExactObject } from '@/lib/json/exact';
import { readJson } from '@/lib/json/read';
import { paramsOf } from './params';
import { repeatableReply } from './sampling/reply';

/** Tells whether a question is about a page. */
export function isAboutPage(question: ServerQuestion): boolean {
  return question.method === 'elicitation/create' && paramsOf(question).mode === 'url';
}

/**
 * Returns the part of a written answer that a rule can repeat, as JSON: the fields of a form, or the
 * text of a reply. Undefined where there is none.
 */
export function repeatable(
  { method }: ServerQuestion,
  draft: string | undefined,
): string | undefined {
  if (draft === undefined) return undefined;
  switch (method) {
    case 'elicitation/create':
      return hasMembers(draft) ? draft : undefined;
    case 'sampling/createMessage':
      return repeatableReply(draft);
    default:
      return undefined;
  }
}

function hasMembers(draft: string): boolean {
  const read = readJson(draft);
  return 'value' in read && isExactObject(read.value) && Object.keys(read.value).length > 0;
}
