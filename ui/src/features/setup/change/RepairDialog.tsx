import { useState } from 'react';
import { type Backend, useBackend } from '@/backend/backend';
import type { ConfigAction, ServerId, Target } from '@/backend/bindings';
import { asCommandError } from '@/backend/error';
import { useAsyncEffect } from '@/components/use-async-effect';
import { entirelyVisible } from '@/lib/visible-text';
import { reconnect } from '@/state/servers/connecting';
import { useServer } from '@/state/servers/servers';
import { useConfiguration } from '@/state/setup/configuration';
import { type Repair, repaired } from '@/state/setup/repair';
import { REPAIR_TITLE } from '@/widgets/failure/texts';
import { draftOf, formOf, withCommandSplit } from '../edit/form';
import { ChangeDialog } from './ChangeDialog';
import { REPAIR } from './texts';

/** Shows what mends an entry, line by line, before it is written and tried. */
export function RepairDialog({ server, repair }: { server: ServerId; repair: Repair }) {
  const backend = useBackend();
  const view = useServer(server);
  const revision = useConfiguration((state) => state.view.revision);
  const [action, setAction] = useState<ConfigAction | null>(null);
  const [problem, setProblem] = useState('');
  const target = view?.target ?? null;
  const name = view?.name ?? '';
  // biome-ignore lint/correctness/useExhaustiveDependencies: a file that changed is read again
  useAsyncEffect(() => {
    // The whole text of the file as it was before would take back what others wrote since.
    setAction(null);
    return (
      target && {
        start: () => textWith(backend, target, name, repair),
        onValue: (text: string) => {
          setProblem('');
          setAction({ type: 'text', target, text });
        },
        onError: (reason) => setProblem(asCommandError(reason).message),
      }
    );
  }, [backend, JSON.stringify(target), name, repair, revision]);
  return (
    <ChangeDialog
      title={REPAIR_TITLE(repair)}
      verb={REPAIR.save}
      action={action}
      isGiven
      next={{
        verb: repair.kind === 'certificate' ? REPAIR_TITLE(repair) : REPAIR.connect,
        onApplied: () => reconnect(backend, server),
      }}
    >
      {problem !== '' && (
        <p role="alert" className="bad">
          {entirelyVisible(problem)}
        </p>
      )}
    </ChangeDialog>
  );
}

/** Returns the text of a file in which the entry of a server is mended. */
async function textWith(
  backend: Backend,
  target: Target,
  name: string,
  repair: Repair,
): Promise<string> {
  const draft = await backend.getDefinitionDraft(target, name);
  const { text } = await backend.getConfigurationText(target);
  const mended =
    repair.kind === 'split' ? draftOf(withCommandSplit(formOf(draft))) : repaired(draft, repair);
  if (mended === null) throw new Error(REPAIR.changed);
  const reading = await backend.editConfigurationText(target, text, name, mended, name);
  if (reading.text === null) throw new Error(reading.unwritten ?? REPAIR.changed);
  return reading.text;
}
