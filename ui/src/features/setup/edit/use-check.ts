import { useState } from 'react';
import { useBackend } from '@/backend/backend';
import type { DraftCheck, Target } from '@/backend/bindings';
import { useAsyncEffect } from '@/components/use-async-effect';
import { draftOf, type Form } from './form';

/** Findings on a form that was not checked yet. */
export const NOTHING_FOUND: DraftCheck = { findings: [], variables: [], program: null, lost: [] };

/**
 * Checks a form where only the backend can: is the program there, is the variable set? What was found
 * on a field that was edited since is left out: an answer that comes late must not speak of what is
 * no longer there, and move the fields below it when it goes.
 */
export function useCheck(
  target: Target | null,
  form: Form | null,
  replaces: string | null,
): DraftCheck {
  const backend = useBackend();
  const [checked, setChecked] = useState<{ check: DraftCheck; form: Form | null }>({
    check: NOTHING_FOUND,
    form: null,
  });
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
            onValue: (check) => setChecked({ check, form }),
            delay: 150,
          },
    [backend, asked, form],
  );
  return checked.form && form ? stillTrue(checked.check, checked.form, form) : checked.check;
}

/** Leaves out what is about fields that are another by now. */
function stillTrue(check: DraftCheck, checked: Form, form: Form): DraftCheck {
  const isSame = (field: string) => {
    const [name] = field.split(/[.[]/) as [keyof Form];
    return checked[name] === form[name];
  };
  return {
    ...check,
    findings: check.findings.filter(({ field }) => isSame(field)),
    program: isSame('command') ? check.program : null,
  };
}
