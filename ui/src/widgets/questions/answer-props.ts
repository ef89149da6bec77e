import type { ServerAnswer, ServerQuestion } from '@/backend/bindings';

/** A question of a server, and the way to its answer. */
export interface AnswerProps {
  question: ServerQuestion;
  isSending: boolean;
  onAnswer: (answer: ServerAnswer) => void;
}
