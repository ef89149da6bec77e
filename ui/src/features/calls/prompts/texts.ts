/** All texts of the prompts, in one place. */
import { listOf } from '@/lib/format';

export const PROMPTS = {
  label: 'Prompts',
  noun: 'prompts',
  noMessages: 'No messages yet',
  noMessagesHint:
    'Fill in the arguments, then get the prompt. Its messages appear here, each with its role.',
  gone: (name: string) => `${name} is gone`,
  goneHint: 'The server no longer lists this prompt.',
  failed: 'This prompt cannot be shown',
  choose: 'Choose a prompt',
  chooseHint: 'Its arguments appear here.',
  /** The name of a result's file before there is a prompt. */
  fileName: 'prompt',
} as const;

export const PROMPT = {
  arguments: 'Arguments',
  get: 'Get',
  filledIn: (from: string) => `Arguments of ${from} filled in`,
  noArguments: 'This prompt takes no arguments.',
  dontSend: 'Don’t send',
  dontSendNamed: (name: string) => `Don’t send ${name}`,
  getAnyway: 'You can get it anyway.',
} as const;

/** Says which arguments are missing; their names in backticks. */
export function missing(names: readonly string[]): string {
  const quoted = names.map((name) => `\`${name}\``);
  return `${listOf(quoted)} ${names.length === 1 ? 'is' : 'are'} missing.`;
}
