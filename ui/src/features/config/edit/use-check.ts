import { useEffect, useState } from 'react';
import { useBackend } from '@/backend/backend';
import type { DraftCheck, Target } from '@/backend/bindings';
import { draftOf, type Form } from './draft';

const NOTHING: DraftCheck = { findings: [], variables: [], program: null, lost: [] };

/** What there is to say about a form that only the computer knows: is the program there? */
export function useCheck(
  target: Target | null,
  form: Form | null,
  replaces: string | null,
): DraftCheck {
  const backend = useBackend();
  const [check, setCheck] = useState(NOTHING);
  const asked = form && target ? JSON.stringify([target, draftOf(form), replaces]) : null;
  useEffect(() => {
    if (asked === null) return;
    let isCurrent = true;
    const timer = setTimeout(() => {
      const [where, draft, which] = JSON.parse(asked);
      backend
        .checkDraft(where, draft, which)
        .then((found) => {
          if (isCurrent) setCheck(found);
        })
        // Without it the form is only less helpful; saving says what is wrong.
        .catch(() => {});
    }, 150);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [backend, asked]);
  return check;
}
