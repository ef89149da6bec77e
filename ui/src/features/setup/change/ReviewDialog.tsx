import type { ConfigAction, ConfigFileView, ConfigurationView, Target } from '@/backend/bindings';
import { entirelyVisible } from '@/lib/visible-text';
import {
  clientOf,
  fileOf,
  fileTitle,
  serverOf,
  titleOf,
  useConfiguration,
} from '@/state/setup/configuration';
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
  if ('names' in action) {
    const { type, target, names } = action;
    const shown = REMOVAL.names(names);
    return type === 'remove' ? REMOVAL.from(shown, placeOf(view, target, names)) : shown;
  }
  if (action.type === 'repair') return fileOf(view, action.target)?.label ?? '';
  return (action.type === 'undo' ? view.undo : view.redo) ?? '';
}

/** Returns where servers are removed from: a file of its own, a client, or one of its scopes. */
function placeOf(view: ConfigurationView, target: Target, names: readonly string[]): string {
  const { client } = target;
  if (client === 'mcp-json') return fileOf(view, target)?.label ?? target.scope;
  const isOnlyPlace = names.every((name) => serverOf(view, client, name)?.cells.length === 1);
  return isOnlyPlace ? (clientOf(view, client)?.title ?? client) : fileTitle(view, target);
}

/** Says what is left of a server that is removed from one file. */
function Left({ target, name }: { target: Target; name: string }) {
  const view = useConfiguration((state) => state.view);
  const server = serverOf(view, target.client, name);
  const next = server?.cells.filter(({ scope }) => scope !== target.scope).at(-1);
  const stays = othersWith(view, target, name);
  return (
    <>
      {next && server?.scope === target.scope && (
        <p>
          <b>{entirelyVisible(fileTitle(view, { ...target, scope: next.scope }))}</b>{' '}
          {REMOVAL.definesToo(entirelyVisible(name))}
        </p>
      )}
      {(stays.length > 0 || !next) && (
        <p>
          <b>{entirelyVisible(name)}</b>{' '}
          {stays.length > 0 ? entirelyVisible(REMOVAL.stays(stays)) : REMOVAL.onlyCopy}
        </p>
      )}
    </>
  );
}

/** Returns the other clients that define a server of this name, in another place than `target`. */
function othersWith(view: ConfigurationView, target: Target, name: string): string[] {
  const removed = fileOf(view, target);
  // Several clients read one file.
  const isRemoved = (file: ConfigFileView | undefined) =>
    file?.path === removed?.path && file?.section === removed?.section;
  const others = view.clients.filter(
    ({ client }) =>
      client !== target.client &&
      serverOf(view, client, name)?.cells.some(
        ({ scope }) => !isRemoved(fileOf(view, { client, scope })),
      ),
  );
  return others.map(titleOf);
}
