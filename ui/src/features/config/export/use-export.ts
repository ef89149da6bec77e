import { useEffect, useState } from 'react';
import type { Backend } from '@/backend/backend';
import { useBackend } from '@/backend/backend';
import type { Client, CommandError, Draft, LostField, Target } from '@/backend/bindings';
import { asCommandError } from '@/backend/error';
import { clientOf, useConfiguration } from '@/state/configuration';
import { withoutSecrets } from './redact';

export interface ExportItem {
  target: Target;
  name: string;
}

export interface Exported {
  text: string;
  /** The variables that stand where secrets stood. */
  replaced: string[];
  lost: LostField[];
}

/** What stands for a secret in what the backend shows. */
const MASK = '•••';

/** Servers as a client's own file would have them. */
export function useExport(items: readonly ExportItem[], client: Client, withSecrets: boolean) {
  const backend = useBackend();
  const view = useConfiguration((state) => state.view);
  const scope = clientOf(view, client)?.files[0]?.scope;
  const [exported, setExported] = useState<Exported | null>(null);
  const [problem, setProblem] = useState<CommandError | null>(null);
  const asked = JSON.stringify(items);
  useEffect(() => {
    if (scope === undefined) return;
    let isCurrent = true;
    write(backend, JSON.parse(asked), { client, scope }, withSecrets)
      .then((found) => {
        if (!isCurrent) return;
        setExported(found);
        setProblem(null);
      })
      .catch((reason) => {
        if (!isCurrent) return;
        setExported(null);
        setProblem(asCommandError(reason));
      });
    return () => {
      isCurrent = false;
    };
  }, [backend, asked, client, scope, withSecrets]);
  return { exported, problem };
}

async function write(
  backend: Backend,
  items: readonly ExportItem[],
  target: Target,
  withSecrets: boolean,
): Promise<Exported> {
  const exported: Exported = { text: '', replaced: [], lost: [] };
  for (const item of items) {
    const whole = await backend.definitionDraft(item.target, item.name);
    const { draft, replaced } = withSecrets
      ? { draft: whole, replaced: [] }
      : await redacted(backend, item, whole);
    const { lost } = await backend.checkDraft(target, draft, null);
    exported.text = await backend.draftIntoText(target, exported.text, null, draft);
    exported.replaced.push(...replaced.filter((name) => !exported.replaced.includes(name)));
    exported.lost.push(...lost);
  }
  return exported;
}

/** A draft without the values that the backend masks when it shows the same definition. */
async function redacted(backend: Backend, { target, name }: ExportItem, draft: Draft) {
  const { definitions, fields } = await backend.explainConfiguration(target.client, name);
  const index = definitions.findIndex(({ scope }) => scope === target.scope);
  const masked = new Set(
    fields.filter(({ values }) => values[index]?.includes(MASK)).map(({ field }) => field),
  );
  return withoutSecrets(draft, (field) => masked.has(field));
}
