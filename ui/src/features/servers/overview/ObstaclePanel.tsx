import { useBackend } from '@/backend/backend';
import type { ObstacleAction, ObstacleView, ServerView } from '@/backend/bindings';
import { Button } from '@/components/Button';
import { CommandLine } from '@/components/CommandLine';
import { ProblemPanel } from '@/components/ProblemPanel';
import { Facts } from '@/components/Section';
import { visibleLines, visibleText } from '@/lib/visible-text';
import { runAction } from '@/state/actions';
import { useDialogs } from '@/state/dialogs';
import { connect } from '@/state/servers/connecting';
import { targetOf } from '@/state/setup/configuration';
import { editConfig } from '@/state/setup/setup-view';
import { SessionValues } from '@/widgets/failure/SessionValues';
import styles from './overview.module.css';
import { PROBLEM } from './texts';

interface ObstaclePanelProps {
  server: ServerView;
  obstacle: ObstacleView;
}

/** Shows why a server cannot be connected, the evidence, and the actions that help. */
export function ObstaclePanel({ server, obstacle }: ObstaclePanelProps) {
  const backend = useBackend();
  const missing = obstacle.actions.flatMap((action) =>
    action.type === 'setVariable' ? [action] : [],
  );
  const buttons = obstacle.actions.filter(({ type: kind }) => kind !== 'setVariable');
  return (
    <ProblemPanel
      tone="warn"
      title={visibleText(obstacle.reason)}
      hint={visibleLines(obstacle.hint)}
      actions={
        <>
          {missing.length > 0 && (
            <SessionValues
              server={server}
              missing={missing}
              start={() => connect(backend, server.id)}
            />
          )}
          {buttons.map((action, index) => (
            <ObstacleButton
              key={action.type}
              server={server}
              action={action}
              isPrimary={index === 0 && missing.length === 0}
            />
          ))}
        </>
      }
    >
      <Facts
        facts={[
          [
            PROBLEM.evidence,
            obstacle.evidence.length > 0 && (
              <ul key="evidence" className={styles.evidence}>
                {obstacle.evidence.map((line) => (
                  <li key={line}>{visibleText(line)}</li>
                ))}
              </ul>
            ),
          ],
          [PROBLEM.file, server.path && <code key="path">{visibleText(server.path)}</code>],
          [
            server.transport === 'stdio' ? PROBLEM.command : PROBLEM.address,
            server.summary && <CommandLine key="summary" text={server.summary} />,
          ],
        ]}
      />
    </ProblemPanel>
  );
}

interface ObstacleButtonProps {
  server: ServerView;
  action: ObstacleAction;
  isPrimary: boolean;
}

function ObstacleButton({ server, action, isPrimary }: ObstacleButtonProps) {
  const target = targetOf(server);
  const variant = isPrimary ? 'primary' : 'plain';
  switch (action.type) {
    case 'editServer':
      return (
        <Button variant={variant} onPress={() => runAction('server.edit')}>
          {PROBLEM.edit}
        </Button>
      );
    case 'openLine':
      return (
        <Button
          variant={variant}
          onPress={() =>
            target &&
            editConfig({
              target,
              name: null,
              place: { line: action.line, column: action.column },
            })
          }
        >
          {PROBLEM.openLine(action.line)}
        </Button>
      );
    case 'trustFolder':
      return (
        <Button
          variant={variant}
          onPress={() =>
            useDialogs
              .getState()
              .show({ kind: 'folder-trust', server: server.id, start: undefined })
          }
        >
          {PROBLEM.trustFolder}
        </Button>
      );
    case 'explain':
      return (
        <Button variant={variant} onPress={() => runAction('server.explain')}>
          {PROBLEM.why}
        </Button>
      );
    // The panel of the approval shows the whole plan beside its button.
    case 'approve':
    case 'setVariable':
      return null;
  }
}
