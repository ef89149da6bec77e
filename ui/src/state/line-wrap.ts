import { create } from 'zustand';
import { recall, remember } from '@/lib/remembered';

const NAME = 'wrap-lines';

const isBoolean = (value: unknown): value is boolean => typeof value === 'boolean';

/** Tells whether long lines of payloads are wrapped; holds for all of them. */
export const useLineWrap = create<{ wraps: boolean }>(() => ({
  wraps: recall(NAME, isBoolean) ?? false,
}));

export function setLineWrap(wraps: boolean): void {
  remember(NAME, wraps);
  useLineWrap.setState({ wraps });
}
