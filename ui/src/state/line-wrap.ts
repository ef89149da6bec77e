import { create } from 'zustand';
import { recall, remember } from '@/lib/remembered';

const NAME = 'wrap-lines';

const isBoolean = (value: unknown): value is boolean => typeof value === 'boolean';

/** The choice whether long lines of payloads are wrapped, which holds for all of them. */
const useChoice = create<{ wraps: boolean | undefined }>(() => ({
  wraps: recall(NAME, isBoolean),
}));

/** Tells whether long lines are wrapped; without a choice those of texts, as short texts are. */
export function useLineWrap(isText: boolean): boolean {
  return useChoice((state) => state.wraps) ?? isText;
}

export function setLineWrap(wraps: boolean): void {
  remember(NAME, wraps);
  useChoice.setState({ wraps });
}
