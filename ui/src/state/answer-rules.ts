import { create } from 'zustand';
import type { AnswerRulesView } from '@/backend/bindings';

interface AnswerRulesState {
  /** The rules that answer questions of servers, as their file says them now. */
  view: AnswerRulesView;
  replace(view: AnswerRulesView): void;
}

export const useAnswerRules = create<AnswerRulesState>((set) => ({
  view: { path: '', problems: [], rules: [] },
  replace: (view) => set({ view }),
}));
