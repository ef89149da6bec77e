import type { ServerAnswer, ServerRequest } from '@/backend/bindings';

/** A question of a server, and the way to its answer. */
export interface AnswerProps {
  request: ServerRequest;
  isSending: boolean;
  onAnswer: (answer: ServerAnswer) => void;
}
