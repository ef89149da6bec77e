import type { ConfigAction } from '@/backend/bindings';
import { entirelyVisible } from '@/lib/visible-text';
import { fileOf, fileTitle, serverOf, useConfiguration } from '@/state/setup/configuration';
import { useSetupView } from '@/state/setup/setup-view';
import { ChangeDialog } from './ChangeDialog';
import { REPAIR, REVIEW } from './texts';

/** A change that needs nothing but to be looked at before it is written. */
export function ReviewDialog({ action }: { action: ConfigAction }) {
  const view = useConfiguration((state) => state.view);
  const what = 'names' in action ? REVIEW.names(action.names) : '';
  switch (action.type) {
    case 'remove':
      return (
        <ChangeDialog
          title={REVIEW.remove(what)}
          verb={REVIEW.removeVerb}
          isDangerous
          action={action}
        >
          <p>{REVIEW.removeHint}</p>
          {action.names.map((name) => {
            const server = serverOf(view, action.target.client, name);
            const next = server?.cells.filter(({ scope }) => scope !== action.target.scope).at(-1);
            if (next) {
              return (
                server?.scope === action.target.scope && (
                  <p key={name}>
                    <b>
                      {entirelyVisible(fileTitle(view, { ...action.target, scope: next.scope }))}
                    </b>{' '}
                    {REVIEW.definesToo(entirelyVisible(name))}
                  </p>
                )
              );
            }
            const copies = view.clients.filter(({ servers }) =>
              servers.some((one) => one.name === name),
            );
            return (
              copies.length === 1 && (
                <p key={name}>
                  <b>{entirelyVisible(name)}</b> {REVIEW.onlyCopy}
                </p>
              )
            );
          })}
        </ChangeDialog>
      );
    case 'disable':
      return (
        <ChangeDialog title={REVIEW.disable(what)} verb={REVIEW.disableVerb} action={action}>
          <p>{REVIEW.disableHint}</p>
        </ChangeDialog>
      );
    case 'enable':
      return <ChangeDialog title={REVIEW.enable(what)} verb={REVIEW.enableVerb} action={action} />;
    case 'restore':
      return (
        <ChangeDialog title={REVIEW.restore} verb={REVIEW.restoreVerb} action={action}>
          <p>{REVIEW.restoreHint}</p>
        </ChangeDialog>
      );
    case 'repair':
      return (
        <ChangeDialog
          title={REPAIR.title(fileOf(view, action.target)?.label ?? '')}
          verb={REPAIR.commasVerb}
          action={action}
        >
          <p>{REPAIR.commas}</p>
        </ChangeDialog>
      );
    case 'undo':
      return <ChangeDialog title={REVIEW.undo(view.undo)} verb={REVIEW.undoVerb} action={action} />;
    case 'redo':
      return <ChangeDialog title={REVIEW.redo(view.redo)} verb={REVIEW.redoVerb} action={action} />;
    default:
      return (
        <ChangeDialog
          title={REVIEW.title}
          verb={REVIEW.save}
          action={action}
          onApplied={() => {
            if (action.type === 'text') useSetupView.getState().endEditing();
          }}
        />
      );
  }
}
