import type { ReactNode } from 'react';
import { EmptyState } from '@/components/EmptyState';
import { visibleText } from '@/lib/visible-text';
import type { Answer } from '@/widgets/use-answer';
import { MODEL } from './texts';

interface AnsweredProps<Value> {
  answer: Answer<Value>;
  /** Said until it comes; null says nothing. */
  asking?: string | null;
  children: (value: Value) => ReactNode;
}

/** Draws an answer, and says so where none came or came yet. */
export function Answered<Value>({ answer, asking = MODEL.asking, children }: AnsweredProps<Value>) {
  const { value, problem } = answer;
  if (problem !== null) return <EmptyState title={visibleText(problem)} />;
  if (value === null) return asking !== null && <EmptyState title={asking} />;
  return children(value);
}
