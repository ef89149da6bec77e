import { useEffect, useRef, useState } from 'react';
import { useBackend } from '@/backend/backend';
import type { RequestProblem, RequestTextView, RequestView } from '@/backend/bindings';
import { showError, showNote } from '@/state/notices';
import { REQUESTS } from './texts';

/** Milliseconds after the last key before a text is looked at. */
const CHECK_DELAY = 150;

/** The text of a request under edit. */
export interface RequestText {
  /** As it is in the file; absent while it is read. */
  view: RequestTextView | null;
  text: string;
  problems: readonly RequestProblem[];
  hasChanges: boolean;
  change(text: string): void;
  discard(): void;
  /** Takes over a file that was changed otherwise. */
  replace(view: RequestTextView): void;
  /** Tells whether it was saved. */
  save(): Promise<boolean>;
}

/** Texts that were not saved, by path: they outlive a look at something else. */
const drafts = new Map<string, string>();

/** Reads the text of a request, follows its file, and keeps what the user makes of it. */
export function useRequestText(request: RequestView): RequestText {
  const backend = useBackend();
  const { path } = request;
  const [view, setView] = useState<RequestTextView | null>(null);
  const [draft, setDraft] = useState<string | null>(drafts.get(path) ?? null);
  const [problems, setProblems] = useState<readonly RequestProblem[]>(request.problems);
  const change = (text: string | null) => {
    if (text === null || text === view?.text) {
      drafts.delete(path);
      setDraft(null);
    } else {
      drafts.set(path, text);
      setDraft(text);
    }
  };
  // `request` is another object whenever a file changed.
  useEffect(() => {
    let isCurrent = true;
    backend.getRequestText(request.path).then(
      (read) => {
        if (!isCurrent) return;
        setView(read);
        setProblems(read.request.problems);
      },
      (reason) => isCurrent && showError(reason),
    );
    return () => {
      isCurrent = false;
    };
  }, [backend, request]);
  const latest = useRef(draft);
  latest.current = draft;
  useEffect(() => {
    if (draft === null) return;
    const timer = setTimeout(() => {
      backend.checkRequest(path, draft).then(
        (checked) => latest.current === draft && setProblems(checked.request.problems),
        () => undefined,
      );
    }, CHECK_DELAY);
    return () => clearTimeout(timer);
  }, [backend, path, draft]);
  const replace = (read: RequestTextView) => {
    setView(read);
    setProblems(read.request.problems);
    change(null);
  };
  return {
    view,
    text: draft ?? view?.text ?? '',
    problems,
    hasChanges: draft !== null,
    change,
    discard: () => {
      change(null);
      setProblems(view?.request.problems ?? []);
    },
    replace,
    save: async () => {
      if (draft === null || !view) return false;
      try {
        replace(await backend.updateRequest(path, draft, view.hash));
        showNote(REQUESTS.saved);
        return true;
      } catch (reason) {
        showError(reason);
        return false;
      }
    },
  };
}
