import type { ConfigurationView } from '@/backend/bindings';
import { Button } from '@/components/Button';
import { EmptyState } from '@/components/EmptyState';
import type { ClientChoice } from '@/state/config-view';
import { clientOf } from '@/state/configuration';
import { useDialogs } from '@/state/dialogs';
import styles from './config-grid.module.css';

interface NoRowsProps {
  isFiltered: boolean;
  onClear: () => void;
}

/** The text of a matrix that has no rows. */
export function NoRows({ isFiltered, onClear }: NoRowsProps) {
  const show = useDialogs((state) => state.show);
  return (
    <div className={styles.none}>
      {isFiltered ? (
        <EmptyState
          title="No server matches"
          action={<Button onPress={onClear}>Show all of them</Button>}
        >
          Names, states, commands and addresses are searched.
        </EmptyState>
      ) : (
        <EmptyState
          title="No server is defined"
          action={
            <>
              <Button variant="primary" onPress={() => show({ kind: 'add-server' })}>
                Add server
              </Button>
              <Button onPress={() => show({ kind: 'import-servers' })}>
                Import from other clients
              </Button>
            </>
          }
        >
          None of these files defines one yet.
        </EmptyState>
      )}
    </div>
  );
}

interface PrecedenceProps {
  view: ConfigurationView;
  client: ClientChoice;
}

/** The rule by which these files override each other. */
export function Precedence({ view, client }: PrecedenceProps) {
  const text =
    client === 'every'
      ? 'Each client reads its own files only; the order is that of each client.'
      : clientOf(view, client)?.precedence;
  return (
    <p className={styles.precedence}>
      {view.policy.length > 0 && (
        <span className={styles.policy} title={view.policy.map(({ rule }) => rule).join('\n')}>
          ⊘ {view.policy.length === 1 ? 'One policy rule' : `${view.policy.length} policy rules`} in
          force.{' '}
        </span>
      )}
      {text}
    </p>
  );
}
