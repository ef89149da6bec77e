import { useState } from 'react';
import { useBackend } from '@/backend/backend';
import type { DraftCheck, Target } from '@/backend/bindings';
import { useAsyncEffect } from '@/components/use-async-effect';
import { draftOf, type Form } from './form';

/** Findings on a form that was not checked yet. */
export const NOTHING_FOUND: DraftCheck = { findings: [], variables: [], program: null, lost: [] };

/** Checks a form where only the backend can: is the program there, is the variable set? */
export function useCheck(
  target: Target | null,
  form: Form | null,
  replaces: string | null,
): DraftCheck {
  const backend = useBackend();
  const [check, setCheck] = useState(NOTHING_FOUND);
  const asked = form && target ? JSON.stringify([target, draftOf(form), replaces]) : null;
  useAsyncEffect(
    () =>
      asked === null
        ? null
        : {
            start: () => {
              const [where, draft, which] = JSON.parse(asked);
              return backend.checkDraft(where, draft, which);
            },
            // Without an answer the form is only less helpful; saving says what is wrong.
            onValue: setCheck,
            delay: 150,
          },
    [backend, asked],
  );
  return check;
}
