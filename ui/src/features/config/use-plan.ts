import { useEffect, useState } from 'react';
import { useBackend } from '@/backend/backend';
import type { CommandError, PlannedView, ServerId } from '@/backend/bindings';
import { asCommandError } from '@/backend/error';
import { draftOf, type Form } from './draft';

interface Planned {
  plan: PlannedView | null;
  problem: CommandError | null;
}

const NOTHING: Planned = { plan: null, problem: null };

/** What saving the form would change, a moment after the last key; nothing while incomplete. */
export function usePlan(form: Form | null, replaces: ServerId | null): Planned {
  const backend = useBackend();
  const [planned, setPlanned] = useState(NOTHING);
  useEffect(() => {
    if (!form) {
      setPlanned(NOTHING);
      return;
    }
    let isCurrent = true;
    const show = (next: Planned) => {
      if (isCurrent) setPlanned(next);
    };
    const timer = setTimeout(() => {
      backend
        .planServer(draftOf(form), form.scope, replaces)
        .then((plan) => show({ plan, problem: null }))
        .catch((reason) => show({ plan: null, problem: asCommandError(reason) }));
    }, 150);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [backend, form, replaces]);
  return planned;
}
