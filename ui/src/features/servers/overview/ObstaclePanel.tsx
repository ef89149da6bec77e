import { useState } from 'react';
import { useBackend } from '@/backend/backend';
import type { ObstacleAction, ObstacleView, ServerView } from '@/backend/bindings';
import { Button } from '@/components/Button';
import { CommandLine } from '@/components/CommandLine';
import { ProblemPanel } from '@/components/ProblemPanel';
import { Facts } from '@/components/Section';
import { Select } from '@/components/Select';
import { TextField } from '@/components/TextField';
import { visibleLines, visibleText } from '@/lib/visible-text';
import { runAction } from '@/state/actions';
import { useDialogs } from '@/state/dialogs';
import { showError } from '@/state/notices';
import { connect } from '@/state/servers/connecting';
import { editConfig } from '@/state/setup/config-view';
import { targetOf } from '@/state/setup/configuration';
import styles from './overview.module.css';
import { PROBLEM } from './texts';

interface ObstaclePanelProps {
  server: ServerView;
  obstacle: ObstacleView;
}

/** Shows why a server cannot be connected, the evidence, and the actions that help. */
export function ObstaclePanel({ server, obstacle }: ObstaclePanelProps) {
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
          {missing.length > 0 && <SessionValues server={server} missing={missing} />}
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

type MissingValue = Extract<ObstacleAction, { type: 'setVariable' }>;

interface SessionValuesProps {
  server: ServerView;
  missing: readonly MissingValue[];
}

/** A field for each value that is missing. All but secrets are kept in memory until the app ends. */
function SessionValues({ server, missing }: SessionValuesProps) {
  const backend = useBackend();
  const [entered, setEntered] = useState<Readonly<Record<string, string>>>({});
  const [isBusy, setBusy] = useState(false);
  const enteredFor = ({ name, input }: MissingValue) => entered[name] ?? input?.default ?? '';
  const isFilled = missing.every((value) => enteredFor(value) !== '');
  const keep = ({ name }: MissingValue, value: string) =>
    isSecret(name)
      ? backend.updateEntrySecret(server.id, plainName(name), value)
      : backend.updateSessionVariable(server.id, name, value);
  const areSecrets = missing.every(({ name }) => isSecret(name));
  const set = async () => {
    setBusy(true);
    try {
      for (const value of missing) await keep(value, enteredFor(value));
      connect(backend, server.id);
    } catch (reason) {
      showError(reason);
    } finally {
      setBusy(false);
    }
  };
  return (
    <form
      className={styles.sessionValues}
      onSubmit={(event) => {
        event.preventDefault();
        if (isFilled && !isBusy) void set();
      }}
    >
      {missing.map((value) => (
        <SessionValue
          key={value.name}
          missing={value}
          value={enteredFor(value)}
          onChange={(text) => setEntered((known) => ({ ...known, [value.name]: text }))}
        />
      ))}
      {!areSecrets && <p className="regular remark">{PROBLEM.sessionOnly}</p>}
      <Button variant="primary" type="submit" isDisabled={!isFilled || isBusy}>
        {areSecrets || missing.every(({ input }) => input !== null)
          ? PROBLEM.connectWithInput
          : PROBLEM.setForSession}
      </Button>
    </form>
  );
}

/** Stands before the name of a secret that is kept for the entry. */
const SECRET = 'secret:';

function isSecret(name: string): boolean {
  return name.startsWith(SECRET);
}

function plainName(name: string): string {
  return isSecret(name) ? name.slice(SECRET.length) : name;
}

interface SessionValueProps {
  missing: MissingValue;
  value: string;
  onChange(value: string): void;
}

/** A variable of the environment, or what a client asks its user for. */
function SessionValue({ missing: { name, input }, value, onChange }: SessionValueProps) {
  const label = visibleText(input?.id ?? plainName(name));
  if (input && input.options.length > 0) {
    return (
      <Select
        label={label}
        {...(input.description ? { description: visibleText(input.description) } : {})}
        value={value}
        onChange={onChange}
        choices={input.options.map((option) => ({ value: option, label: visibleText(option) }))}
      />
    );
  }
  return (
    <TextField
      label={label}
      mono
      type={input && !input.isSecret ? 'text' : 'password'}
      {...(input?.description ? { description: visibleText(input.description) } : {})}
      value={value}
      onChange={onChange}
    />
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
