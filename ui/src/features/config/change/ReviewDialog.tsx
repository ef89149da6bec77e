import type { ConfigAction } from '@/backend/bindings';
import { useConfigView } from '@/state/config-view';
import { fileTitle, serverOf, useConfiguration } from '@/state/configuration';
import { ChangeDialog } from './ChangeDialog';

/** A change that needs nothing but to be looked at before it is written. */
export function ReviewDialog({ action }: { action: ConfigAction }) {
  const view = useConfiguration((state) => state.view);
  const what = 'names' in action ? namesText(action.names) : '';
  switch (action.kind) {
    case 'remove':
      return (
        <ChangeDialog title={`Remove ${what}`} verb="Remove" isDangerous action={action}>
          <p>A connection to it is closed. What was recorded stays, and this can be undone.</p>
          {action.names.map((name) => {
            const server = serverOf(view, action.target.client, name);
            const next = server?.cells.filter(({ scope }) => scope !== action.target.scope).at(-1);
            return (
              next &&
              server?.scope === action.target.scope && (
                <p key={name}>
                  <b>{fileTitle(view, { ...action.target, scope: next.scope })}</b> defines {name}{' '}
                  too; that definition counts from then on.
                </p>
              )
            );
          })}
        </ChangeDialog>
      );
    case 'disable':
      return (
        <ChangeDialog title={`Disable ${what}`} verb="Disable" action={action}>
          <p>It stays in the file. Clients leave it out until it is enabled again.</p>
        </ChangeDialog>
      );
    case 'enable':
      return <ChangeDialog title={`Enable ${what}`} verb="Enable" action={action} />;
    case 'restore':
      return (
        <ChangeDialog title="Restore this backup" verb="Restore" action={action}>
          <p>The file becomes what it was. What it is now is kept as a backup as well.</p>
        </ChangeDialog>
      );
    case 'undo':
      return <ChangeDialog title={`Undo: ${view.undo ?? ''}`} verb="Undo" action={action} />;
    case 'redo':
      return <ChangeDialog title={`Redo: ${view.redo ?? ''}`} verb="Redo" action={action} />;
    default:
      return (
        <ChangeDialog
          title="Review the change"
          verb="Save"
          action={action}
          onApplied={() => useConfigView.getState().edit(null)}
        />
      );
  }
}

function namesText(names: readonly string[]): string {
  return names.length === 1 ? (names[0] ?? '') : `${names.length} servers`;
}
