import type { ConfigAction, ConfigurationView, Target } from '@/backend/bindings';
import { entirelyVisible } from '@/lib/visible-text';
import { fileOf, fileTitle, serverOf, useConfiguration } from '@/state/setup/configuration';
import { useSetupView } from '@/state/setup/setup-view';
import { ChangeDialog } from './ChangeDialog';
import { REMOVAL, REVIEW } from './texts';

interface Words {
  title: (what: string) => string;
  verb: string;
  description?: string;
}

/** A change that needs nothing but to be looked at before it is written. */
export function ReviewDialog({ action }: { action: ConfigAction }) {
  const view = useConfiguration((state) => state.view);
  const words: Partial<Record<ConfigAction['type'], Words>> = REVIEW;
  const { title, verb, description } = words[action.type] ?? REVIEW.other;
  return (
    <ChangeDialog
      title={title(subjectOf(view, action))}
      verb={verb}
      isDangerous={action.type === 'remove'}
      action={action}
      onApplied={() => {
        if (action.type === 'text') useSetupView.getState().endEditing();
      }}
    >
      {description && <p>{description}</p>}
      {action.type === 'remove' &&
        action.names.map((name) => <Left key={name} target={action.target} name={name} />)}
    </ChangeDialog>
  );
}

/** Returns what the title names: the servers, the file, or the change that is taken back. */
function subjectOf(view: ConfigurationView, action: ConfigAction): string {
  if ('names' in action) return REMOVAL.names(action.names);
  if (action.type === 'repair') return fileOf(view, action.target)?.label ?? '';
  return (action.type === 'undo' ? view.undo : view.redo) ?? '';
}

/** Says what is left of a server that is removed from one file. */
function Left({ target, name }: { target: Target; name: string }) {
  const view = useConfiguration((state) => state.view);
  const server = serverOf(view, target.client, name);
  const next = server?.cells.filter(({ scope }) => scope !== target.scope).at(-1);
  if (next) {
    return (
      server?.scope === target.scope && (
        <p>
          <b>{entirelyVisible(fileTitle(view, { ...target, scope: next.scope }))}</b>{' '}
          {REMOVAL.definesToo(entirelyVisible(name))}
        </p>
      )
    );
  }
  const copies = view.clients.filter(({ servers }) => servers.some((one) => one.name === name));
  return (
    copies.length === 1 && (
      <p>
        <b>{entirelyVisible(name)}</b> {REMOVAL.onlyCopy}
      </p>
    )
  );
}
