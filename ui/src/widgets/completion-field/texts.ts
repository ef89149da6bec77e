/** All texts of a field that the server helps to complete, in one place. */
import type { CompletionReference } from '@/backend/bindings';

export const NOT_SENT = 'not sent';

/** The text after the name of an argument of a prompt, or of a variable of a template. */
export function factsOf(type: CompletionReference['type'], isRequired: boolean): string {
  const kind = type === 'prompt' ? 'string' : 'variable';
  return isRequired ? `${kind} · required` : kind;
}
