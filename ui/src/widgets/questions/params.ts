import type { ServerAnswer, ServerQuestion } from '@/backend/bindings';
import { readMembers } from '@/lib/json/members';
import { TITLES } from './texts';

/** The parameters of a question; empty when they are no JSON object. */
export function paramsOf(question: ServerQuestion): Record<string, unknown> {
  return readMembers(question.params);
}

/** One member of the parameters, verbatim, so that its numbers stay exact. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** Returns the subject of a question, in one line. */
export function subjectOf(question: ServerQuestion): string {
  const params = paramsOf(question);
  const message = textOf(params.message);
  return message || (TITLES[question.method] ?? question.method);
}

/** A result of MCP's `ElicitResult`. */
export function elicitResult(
  action: 'accept' | 'decline' | 'cancel',
  content?: string,
): ServerAnswer {
  const member = content === undefined ? '' : `,"content":${content}`;
  return { type: 'result', json: `{"action":"${action}"${member}}` };
}

/** The answer of a client whose user refuses (MCP specification, Sampling: Error handling). */
export const REFUSED: ServerAnswer = {
  type: 'error',
  code: -1,
  message: 'The user refused the request',
};

/** A question of a server, and the way to its answer. */
export interface AnswerProps {
  question: ServerQuestion;
  isSending: boolean;
  onAnswer: (answer: ServerAnswer) => void;
}
