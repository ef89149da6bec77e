import { useCallback, useRef, useState } from 'react';
import type { Candidate, Draft } from '@/backend/bindings';
import { EMPTY, formOf } from '../edit/form';
import { firstValues, type InputValues } from './inputs';

/** Returns the first of `docs`, `docs-2`, … that is not taken. */
export function freeName(name: string, isTaken: (name: string) => boolean): string {
  let free = name;
  for (let number = 2; isTaken(free); number += 1) free = `${name}-${number}`;
  return free;
}

/**
 * The server that is about to be added, and what it was filled with. `first` is what the form is
 * filled with at first; `way` is the candidate that filled it, null when it was typed. What it is
 * filled with gets a name that is free.
 */
export function useOffer(isTaken: (name: string) => boolean, first?: Draft) {
  const named = (draft: Draft) => ({ ...formOf(draft), name: freeName(draft.name, isTaken) });
  const filledWith = useRef(named);
  filledWith.current = named;
  const [form, setForm] = useState(() => (first ? named(first) : EMPTY));
  const [way, setWay] = useState<Candidate | null>(null);
  const [ways, setWays] = useState<readonly Candidate[]>([]);
  const [values, setValues] = useState<InputValues>({});

  /** Fills the form with one of the ways. */
  const take = useCallback((one: Candidate) => {
    setWay(one);
    setForm(filledWith.current(one.draft));
    setValues(firstValues(one));
  }, []);
  /** Forgets where the form came from, and keeps what stands in it. */
  const release = useCallback(() => {
    setWays([]);
    setWay(null);
    setValues({});
  }, []);
  /** Offers the ways to another server, and takes the first. */
  const offer = useCallback(
    (candidates: readonly Candidate[]) => {
      const [first] = candidates;
      if (first) {
        setWays(candidates);
        take(first);
      } else {
        release();
        setForm(EMPTY);
      }
    },
    [take, release],
  );
  return { form, values, way, ways, setForm, setValues, take, offer, release };
}
