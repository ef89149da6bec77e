import {
  type Dispatch,
  type SetStateAction,
  useCallback,
  useState,
  useSyncExternalStore,
} from 'react';

const MAX_DRAFTS = 50;

/** Values that the user has filled in, by their subject, kept while other things are shown. */
class Drafts<Draft> {
  private readonly kept = new Map<string, Draft>();
  private readonly listeners = new Set<() => void>();

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  get(id: string): Draft | undefined {
    return this.kept.get(id);
  }

  drop(id: string): void {
    this.kept.delete(id);
    this.tell();
  }

  keep(id: string, draft: Draft): void {
    this.kept.delete(id);
    this.kept.set(id, draft);
    const [oldest] = this.kept.keys();
    if (this.kept.size > MAX_DRAFTS && oldest !== undefined) this.kept.delete(oldest);
    this.tell();
  }

  private tell(): void {
    for (const listener of this.listeners) listener();
  }
}

/** The arguments of tools, as JSON. */
export const argumentDrafts = new Drafts<string>();

export type Values = Readonly<Record<string, string>>;

const valueDrafts = new Drafts<Values>();

/** The values of named fields, which outlast the form that they stand in. */
export function useValues(id: string): [Values, Dispatch<SetStateAction<Values>>] {
  const [values, setState] = useState(() => valueDrafts.get(id) ?? {});
  const setValues = useCallback(
    (change: SetStateAction<Values>) =>
      setState((before) => {
        const next = typeof change === 'function' ? change(before) : change;
        valueDrafts.keep(id, next);
        return next;
      }),
    [id],
  );
  return [values, setValues];
}

/** Answers to questions of servers, until they are settled. */
const answerDrafts = new Drafts<string>();

/** The answer to a question, which outlasts the form that it is written in. */
export function useAnswerDraft(
  request: number,
  start: () => string,
): [string, (text: string) => void] {
  const [text, setState] = useState(() => answerDraft(request) ?? start());
  const setText = useCallback(
    (next: string) => {
      answerDrafts.keep(String(request), next);
      setState(next);
    },
    [request],
  );
  return [text, setText];
}

/** The answer as far as it was written; nothing where it was not touched. */
export function answerDraft(request: number): string | undefined {
  return answerDrafts.get(String(request));
}

/** The answer as far as it was written, for what stands beside its form. */
export function useWrittenAnswer(request: number): string | undefined {
  return useSyncExternalStore(answerDrafts.subscribe, () => answerDraft(request));
}

export function dropAnswerDraft(request: number): void {
  answerDrafts.drop(String(request));
}
