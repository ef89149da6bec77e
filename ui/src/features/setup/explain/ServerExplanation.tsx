import { MoreHorizontal } from 'lucide-react';
import { useMemo } from 'react';
import { useBackend } from '@/backend/backend';
import type { ExplanationView, ServerView, Target, Variable } from '@/backend/bindings';
import { Button, IconButton } from '@/components/Button';
import { Confirmed } from '@/components/Confirmed';
import { Glyph } from '@/components/Glyph';
import { Menu } from '@/components/Menu';
import { Problem } from '@/components/Problem';
import { Section } from '@/components/Section';
import { entirelyVisible } from '@/lib/visible-text';
import { useDialogs } from '@/state/dialogs';
import { openPlace } from '@/state/navigation';
import { connect, reconnect } from '@/state/servers/connecting';
import { useServer } from '@/state/servers/servers';
import { clientOf, fileOf, useConfiguration } from '@/state/setup/configuration';
import { editConfig } from '@/state/setup/setup-view';
import { ApprovalPanel } from '@/widgets/approval/ApprovalPanel';
import { ProblemList } from '@/widgets/ProblemList';
import { useAnswer } from '@/widgets/use-answer';
import type { FileRow } from '../grid/file-rows';
import { serverActions } from '../grid/place-actions';
import { Definitions } from './Definitions';
import styles from './explain.module.css';
import { type NextStep, nextStep } from './next-step';
import { EXPLANATION, VARIABLES } from './texts';

interface ServerExplanationProps {
  row: FileRow;
  /** Leaves the name out where it stands above already. */
  isEmbedded?: boolean;
}

/**
 * The reasons for a server's status, the differences between its definitions, and the next step.
 */
export function ServerExplanation({ row, isEmbedded = false }: ServerExplanationProps) {
  const backend = useBackend();
  const view = useConfiguration((state) => state.view);
  const client = clientOf(view, row.client);
  const server = useServer(row.source.server);
  const { revision } = view;
  const { value, problem } = useAnswer(
    () => backend.explainConfiguration(row.client, row.name),
    [backend, row.client, row.name, revision],
  );
  const explanation = value?.client === row.client && value.name === row.name ? value : null;
  const target = useMemo(
    (): Target => ({ client: row.client, scope: row.source.scope }),
    [row.client, row.source.scope],
  );
  if (!client) return null;
  const actions = serverActions(view, row, target, backend);
  const { type: kind } = row.source.state;
  const isApproved =
    fileOf(view, target)?.writer === 'project' && (kind === 'wins' || kind === 'disabled');
  const edit = actions[0]?.[0];
  return (
    <article className="h-full scroll" aria-label={EXPLANATION.label(row.name)}>
      <header className={styles.head}>
        {!isEmbedded && <h2 className={styles.title}>{entirelyVisible(row.name)}</h2>}
        <span className={styles.status} role="status" title={row.status.label}>
          <Glyph glyph={row.status.glyph} tone={row.status.tone} /> {row.status.label}
        </span>
        <span className="flex-1" />
        {edit && <Button onPress={edit.run}>{edit.title}</Button>}
        <Menu
          label={EXPLANATION.actions(row.name)}
          trigger={
            <IconButton label={EXPLANATION.more}>
              <MoreHorizontal size={15} aria-hidden="true" />
            </IconButton>
          }
          groups={actions.map((group) => group.filter(({ id }) => id !== 'edit'))}
        />
      </header>
      <Section title={EXPLANATION.why}>
        <Problem text={problem && entirelyVisible(problem)} />
        <div className={styles.sentences}>
          {(explanation?.sentences ?? [row.source.reason]).map((sentence) => (
            <p key={sentence}>{entirelyVisible(sentence)}</p>
          ))}
        </div>
        <Next next={nextStep(client, row.source, explanation, server)} row={row} server={server} />
      </Section>
      {server && row.source.state.type === 'waiting' && <ApprovalPanel server={server} />}
      {explanation && <Findings explanation={explanation} target={target} />}
      {explanation && <Definitions client={client} explanation={explanation} row={row} />}
      {explanation && explanation.variables.length > 0 && (
        <Variables variables={explanation.variables} />
      )}
      {server && isApproved && <ApprovalPanel server={server} />}
    </article>
  );
}

function Findings({ explanation, target }: { explanation: ExplanationView; target: Target }) {
  if (explanation.problems.length === 0) return null;
  return (
    <Section title={EXPLANATION.problems}>
      <ProblemList
        problems={explanation.problems}
        onOpen={({ line, column }) => editConfig({ target, name: null, place: { line, column } })}
      />
    </Section>
  );
}

interface NextProps {
  next: NextStep;
  row: FileRow;
  server: ServerView | undefined;
}

/** The one thing to do about it. */
function Next({ next, row, server }: NextProps) {
  const run = useRunStep(row, server);
  return (
    <p className={styles.next}>
      <span>{entirelyVisible(next.message)}</span>
      {next.button !== null && (
        <Button variant="primary" onPress={() => run(next.step)}>
          {next.button}
        </Button>
      )}
    </p>
  );
}

function useRunStep(row: FileRow, server: ServerView | undefined) {
  const backend = useBackend();
  const { show } = useDialogs.getState();
  const names = [row.name];
  return (step: NextStep['step']) => {
    switch (step.kind) {
      case 'text':
        editConfig({ target: step.target, name: null, place: step });
        break;
      case 'edit':
        editConfig({ target: step.target, name: row.name, place: null });
        break;
      case 'enable':
        show({
          kind: 'config-change',
          action: { type: 'enable', target: step.target, names },
        });
        break;
      case 'reconnect':
        if (server) reconnect(backend, server.id);
        break;
      case 'connect':
        if (server) connect(backend, server.id);
        break;
      case 'overview':
        if (server) openPlace({ server: server.id, tab: 'overview' });
        break;
      case 'copy':
        show({ kind: 'config-transfer', mode: 'copy', from: step.target, names, to: null });
        break;
    }
  };
}

/** The value of each `${…}`, and its source. */
function Variables({ variables }: { variables: readonly Variable[] }) {
  return (
    <Section title={VARIABLES.title}>
      <ul className="plain-list">
        {variables.map((variable) => (
          <li key={`${variable.field} ${variable.reference}`} className={styles.variable}>
            <Confirmed className={styles.reference} text={variable.reference} />
            <span className={styles.value}>
              {variable.origin === 'unset' ? (
                <span className="warn">
                  <span aria-hidden="true">▲ </span>
                  {VARIABLES.noValue}
                </span>
              ) : (
                <Confirmed
                  text={variable.value === '' ? '""' : (variable.value ?? variable.reference)}
                />
              )}
            </span>
            <span className={styles.remark}>
              {originText(variable)} · in <Confirmed text={variable.field} />
            </span>
          </li>
        ))}
      </ul>
    </Section>
  );
}

/** Names the source of a value. */
function originText({ origin, secret }: Variable): string {
  return `${VARIABLES.origins[origin]}${secret ? VARIABLES.masked : ''}`;
}
