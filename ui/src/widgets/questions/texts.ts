import { formatQuantity, listOf } from '@/lib/format';
import type { EndedQuestion } from '@/state/calls/questions';

/** All texts of the questions of servers. */
export const TEXT = {
  waiting: 'Waiting for you',
  timeLeft: (left: string) => `Time limit paused (${left} left)`,
  alwaysAnswer: 'Always answer like this…',
  makeRule: 'Make a rule…',
  answeredBy: (rules: readonly string[], count: number) =>
    `${formatQuantity(count, 'question')} answered by the ${rules.length === 1 ? 'rule' : 'rules'} ${listOf(rules.map((rule) => `“${rule}”`))}.`,
  accept: 'Accept',
  acceptEmpty: 'Accept with nothing filled in',
  nothingFilledIn: 'Nothing is filled in.',
  unchanged: 'The answer is as it began. The button accepts it; the key does not.',
  answer: 'Answer',
  cancel: 'Dismiss',
  cancelMeaning: 'Tells the server that you did not answer',
  decline: 'Decline',
  declineMeaning: 'Tells the server that you said no',
  copy: 'Copy what you wrote',
  dismiss: 'Close',
  written: 'What you wrote',
  open: 'Open in browser',
  done: 'Done, call again',
  wantsPage: 'The server wants to open this page',
  ofHost: ' of ',
  inBrowser: ' in your browser. Only that page receives what you enter there.',
  callAgain:
    'The call failed because this page has to be visited first. When you are done there, call again. Some servers notice it themselves.',
  samplingRemark: 'No model is called. What you put together here is sent as its reply.',
  none: 'No open questions',
  noneRemark:
    'When the server asks for input or for a model’s reply, its question waits here until you answer.',
  over: (reason: string) => `${reason}. It can no longer be answered.`,
  notJson: 'The answer is not valid JSON.',
} as const;

/** The title of each kind of question. */
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
export const ENDINGS: Record<EndedQuestion['how'], string> = {
  callEnded: 'The call it belonged to has ended',
  withdrawn: 'The server withdrew this question',
  connectionEnded: 'The connection has ended',
};

export function notChecked(reason: string): string {
  return `Not checked: ${reason}. You can send the answer; the server checks it.`;
}
