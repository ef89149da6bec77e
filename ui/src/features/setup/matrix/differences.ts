import { useState } from 'react';
import { useBackend } from '@/backend/backend';
import type { Client, ExplanationView } from '@/backend/bindings';
import { useAsyncEffect } from '@/components/use-async-effect';
import { useConfiguration } from '@/state/setup/configuration';
import type { MatrixRow } from './matrix-rows';

/** A field that two clients say differently; null where one does not say it. Secrets are masked. */
export interface Difference {
  field: string;
  /** The value of most clients. */
  usual: string | null;
  value: string | null;
}

export type Differences = ReadonlyMap<Client, readonly Difference[]>;

const NONE: Differences = new Map();

/** Says whether a server is in use, which its switch says already. */
const SWITCHES: ReadonlySet<string> = new Set(['enabled', 'disabled']);

/** Compares what counts in one client with what counts in another, field by field. */
export function differencesOf(usual: ExplanationView, other: ExplanationView): Difference[] {
  const values = ({ fields }: ExplanationView) =>
    new Map(fields.map(({ field, values: [value] }) => [field, value ?? null]));
  const [ones, others] = [values(usual), values(other)];
  return [...new Set([...ones.keys(), ...others.keys()])]
    .filter((field) => !SWITCHES.has(field))
    .map((field) => ({
      field,
      usual: ones.get(field) ?? null,
      value: others.get(field) ?? null,
    }))
    .filter((one) => one.usual !== one.value);
}

/** Looks up what differs in the clients that have another definition than most. */
export function useDifferences(row: MatrixRow): Differences {
  const backend = useBackend();
  const revision = useConfiguration((state) => state.view.revision);
  const [differences, setDifferences] = useState(NONE);
  const clients = [...row.cells].flatMap(([client, { differs }]) => (differs ? [client] : []));
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new revision may say something else.
  useAsyncEffect(() => {
    if (clients.length === 0) {
      setDifferences(NONE);
      return null;
    }
    return {
      start: async () => {
        const usual = await backend.explainConfiguration(row.from.client, row.name);
        const found = await Promise.all(
          clients.map(async (client) => {
            const other = await backend.explainConfiguration(client, row.name);
            return [client, differencesOf(usual, other)] as const;
          }),
        );
        return new Map(found);
      },
      onValue: setDifferences,
    };
  }, [backend, row.name, row.from.client, clients.join(' '), revision]);
  return differences;
}
