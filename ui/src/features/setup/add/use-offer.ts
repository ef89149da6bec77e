import { useCallback, useState } from 'react';
import type { Candidate, Draft } from '@/backend/bindings';
import { EMPTY, type Form, formOf } from '../edit/form';
import { firstValues, type InputValues } from './inputs';

/** The server that is about to be added, and what it was filled with. */
interface Offer {
  form: Form;
  values: InputValues;
  /** The candidate that filled the form; null when it was typed. */
  way: Candidate | null;
  /** All ways to use the same server. */
  ways: readonly Candidate[];
  setForm: (form: Form) => void;
  setValues: (values: InputValues) => void;
  /** Fills the form with one of the ways. */
  take: (way: Candidate) => void;
  /** Offers the ways to another server, and takes the first. */
  offer: (ways: readonly Candidate[]) => void;
  /** Forgets where the form came from, and keeps what stands in it. */
  release: () => void;
}

/** `first`: what the form is filled with at first. */
export function useOffer(first?: Draft): Offer {
  const [form, setForm] = useState(() => (first ? formOf(first) : EMPTY));
  const [way, setWay] = useState<Candidate | null>(null);
  const [ways, setWays] = useState<readonly Candidate[]>([]);
  const [values, setValues] = useState<InputValues>({});

  const take = useCallback((one: Candidate) => {
    setWay(one);
    setForm(formOf(one.draft));
    setValues(firstValues(one));
  }, []);
  const release = useCallback(() => {
    setWays([]);
    setWay(null);
    setValues({});
  }, []);
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
  return {
    form,
    values,
    way,
    ways,
    setForm,
    setValues,
    take,
    offer,
    release,
  };
}
