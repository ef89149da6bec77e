import type { EndedRequest } from '@/state/requests';

/** All texts of questions, in one place. */
export const TEXT = {
  waiting: 'Waiting for you',
  clockStopped: 'The call’s time does not run.',
  accept: 'Accept',
  answer: 'Answer',
  cancel: 'Cancel',
  decline: 'Decline',
  copy: 'Copy what you wrote',
  dismiss: 'Dismiss',
  written: 'What you wrote',
  samplingRemark: 'No model is called. Your text is sent as the reply.',
  none: 'No open requests',
  noneRemark:
    'When the server asks for input or for a model’s reply, its request waits here until you answer.',
  notJson: 'The answer is not valid JSON.',
} as const;

/** The title of each kind of request. */
export const TITLES: Record<string, string> = {
  'elicitation/create': 'The server asks for input',
  'sampling/createMessage': 'The server asks for a model’s reply (sampling)',
};

/** Each kind of request, as the predicate of a sentence about a server. */
const ASKS: Record<string, string> = {
  'elicitation/create': 'asks for input',
  'sampling/createMessage': 'asks for a model’s reply',
};

/** Returns the predicate of a sentence about the server that asks. */
export function asksFor(method: string): string {
  return ASKS[method] ?? `sent ${method}`;
}

/** The reason why a question ended, as a sentence without its full stop. */
export const ENDINGS: Record<EndedRequest['how'], string> = {
  call_ended: 'The call it belonged to has ended',
  withdrawn: 'The server took this question back',
  connection_ended: 'The connection has ended',
};

export const UNCHECKED = {
  'too-large':
    'This schema is too large to check here. You can send the answer; the server checks it.',
  'no-checker': 'The answer cannot be checked here. You can send it; the server checks it.',
} as const;
