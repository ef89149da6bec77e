import { useState } from 'react';
import { type Backend, useBackend } from '@/backend/backend';
import type { Client, ClientFields, ClientView, ExplanationView } from '@/backend/bindings';
import { useAsyncEffect } from '@/components/use-async-effect';
import { useConfiguration } from '@/state/setup/configuration';
import type { MatrixRow } from './matrix-rows';

/** A field that two clients say differently; null where one does not say it. Secrets are masked. */
export interface Difference {
  field: string;
  /** The value of most clients. */
  usual: string | null;
  value: string | null;
  /** The client of the two that has no field for it, so that it cannot say the same. */
  lackedBy: Client | null;
}

export type Differences = ReadonlyMap<Client, readonly Difference[]>;

const NONE: Differences = new Map();

/** Says whether a server is in use, which its switch says already. */
const SWITCHES: ReadonlySet<string> = new Set(['enabled', 'disabled']);

/** Compares what counts in one client with what counts in another, field by field. */
export function differencesOf(
  usual: ExplanationView,
  other: ExplanationView,
  lackedBy: (field: string, one: 'usual' | 'other') => Client | null = () => null,
): Difference[] {
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
    .filter((one) => one.usual !== one.value)
    .map((one) => ({
      ...one,
      lackedBy:
        one.usual === null
          ? lackedBy(one.field, 'usual')
          : one.value === null
            ? lackedBy(one.field, 'other')
            : null,
    }));
}

/** Fields of the form that not every client has, as definitions call them. */
const FIELDS: Readonly<Record<string, keyof ClientFields>> = {
  cwd: 'workingDirectory',
  headers: 'headers',
  era: 'era',
  phase_timeouts: 'phaseLimits',
  startup_timeout: 'startupLimit',
  tool_timeout: 'toolLimit',
  enabled_tools: 'enabledTools',
  disabled_tools: 'disabledTools',
};

/** Tells whether an entry of the client can have a field: `headers.Accept`, `enabled_tools[0]`. */
function hasField({ expresses }: ClientView, field: string): boolean {
  const known = FIELDS[field.split(/[.[]/)[0] ?? ''];
  return known === undefined || expresses[known] !== false;
}

/** Tells whether two definitions are as much the same as their two clients can have them. */
export function isLackOnly(differences: readonly Difference[] | undefined): boolean {
  return (
    differences !== undefined &&
    differences.length > 0 &&
    differences.every(({ lackedBy }) => lackedBy !== null)
  );
}

/** Keeps what was looked up of rows, each of which is made anew with every change. */
const known = new WeakMap<MatrixRow, Promise<Differences>>();

function lookUp(backend: Backend, row: MatrixRow, clients: readonly Client[]) {
  const before = known.get(row);
  if (before) return before;
  const views = useConfiguration.getState().view.clients;
  const load = async () => {
    const usual = await backend.explainConfiguration(row.from.client, row.name);
    const found = clients.map(async (client) => {
      const other = await backend.explainConfiguration(client, row.name);
      const lackedBy = (field: string, one: 'usual' | 'other') => {
        const of = one === 'usual' ? row.from.client : client;
        const view = views.find((one) => one.client === of);
        return view && !hasField(view, field) ? of : null;
      };
      return [client, differencesOf(usual, other, lackedBy)] as const;
    });
    return new Map(await Promise.all(found));
  };
  const looking = load();
  known.set(row, looking);
  looking.catch(() => known.delete(row));
  return looking;
}

function differingIn(row: MatrixRow): Client[] {
  return [...row.cells].flatMap(([client, { differs }]) => (differs ? [client] : []));
}

/** The names of the rows in which nothing differs but what one of the clients has no field for. */
export function useLackOnly(rows: readonly MatrixRow[]): ReadonlySet<string> {
  const backend = useBackend();
  const [names, setNames] = useState<ReadonlySet<string>>(new Set());
  useAsyncEffect(
    () => ({
      start: async () => {
        const found = new Set<string>();
        // One after the other: there may be hundreds, and what is looked at comes first.
        for (const row of rows) {
          const clients = differingIn(row);
          if (clients.length === 0) continue;
          const differences = await lookUp(backend, row, clients);
          if (clients.every((client) => isLackOnly(differences.get(client)))) found.add(row.name);
        }
        return found;
      },
      onValue: setNames,
    }),
    [backend, rows],
  );
  return names;
}

/** Looks up what differs in the clients that have another definition than most. */
export function useDifferences(row: MatrixRow): Differences {
  const backend = useBackend();
  const revision = useConfiguration((state) => state.view.revision);
  const [differences, setDifferences] = useState(NONE);
  const clients = differingIn(row);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new revision may say something else.
  useAsyncEffect(() => {
    if (clients.length === 0) {
      setDifferences(NONE);
      return null;
    }
    return {
      start: () => lookUp(backend, row, clients),
      onValue: setDifferences,
    };
  }, [backend, row.name, row.from.client, clients.join(' '), revision]);
  return differences;
}
