import { useBackend } from '@/backend/backend';
import type {
  CertificateFacts,
  Failure,
  FailureReport,
  HintAction,
  ServerView,
  StartFault,
} from '@/backend/bindings';
import { Button } from '@/components/Button';
import { ProblemPanel } from '@/components/ProblemPanel';
import { visibleLines, visibleText } from '@/lib/visible-text';
import { runAction } from '@/state/actions';
import { useNavigation } from '@/state/navigation';
import { connect } from '@/state/servers/connecting';
import { editConfig } from '@/state/setup/config-view';
import { targetOf, useEditableTarget } from '@/state/setup/configuration';
import { useAuth, useAuthView } from '@/state/sign-in/auth';
import { CodeSentence } from '@/widgets/failure/CodeSentence';
import { FailureFacts } from '@/widgets/failure/FailureFacts';
import { SetVariable } from '@/widgets/failure/SetVariable';
import { PROBLEM } from './texts';

interface FailedServer {
  server: ServerView;
  report: FailureReport;
}

interface FailurePanelProps extends FailedServer {
  /** True if the connection is made again by itself, so that nothing needs to be done. */
  comesBack: boolean;
}

/** A failure: what was tried, what came back, the likely cause, and what to do. */
export function FailurePanel({ server, report, comesBack }: FailurePanelProps) {
  return (
    <ProblemPanel
      tone="bad"
      title={PROBLEM.failed(visibleText(report.reason))}
      hint={<CodeSentence text={visibleLines(report.hint.text)} />}
      actions={
        <>
          {!comesBack && (
            <FailureAction server={server} action={report.hint.action} failure={report.failure} />
          )}
          {!comesBack && <OtherActions server={server} action={report.hint.action} />}
          {report.may_be_elsewhere && (
            <Button onPress={() => runAction('server.doctor')}>{PROBLEM.tryPaths}</Button>
          )}
          {(comesBack || report.hint.action.kind !== 'show_traffic') && (
            <TrafficButton server={server} />
          )}
        </>
      }
    >
      <FailureFacts failure={report.failure} summary={server.summary} />
    </ProblemPanel>
  );
}

/** Actions that help with any failure, beside the one that suits it best. */
function OtherActions({ server, action }: { server: ServerView; action: HintAction }) {
  const backend = useBackend();
  const isOurs = server.target !== null;
  const canSet = useEditableTarget(server) !== undefined;
  const isOffered =
    action.kind === 'reconnect' ||
    (action.kind === 'edit_server' && !isOurs) ||
    (action.kind === 'set_variable' && !canSet);
  const isEdited = action.kind === 'edit_server' || (action.kind === 'set_variable' && canSet);
  return (
    <>
      {!isOffered && (
        <Button onPress={() => connect(backend, server.id)}>{PROBLEM.connectAgain}</Button>
      )}
      {isOurs && !isEdited && (
        <Button onPress={() => runAction('server.edit')}>{PROBLEM.edit}</Button>
      )}
    </>
  );
}

interface FailureActionProps {
  server: ServerView;
  action: HintAction;
  failure?: Failure | undefined;
}

/** Tells whether a command holds more than its program, which the form takes out of it. */
function holdsMore(fault: StartFault): boolean {
  return (
    fault.kind === 'arguments_in_command' ||
    (fault.kind === 'variables_in_command' && fault.line.length > 0)
  );
}

/** The one thing to do about it. */
export function FailureAction({ server, action, failure }: FailureActionProps) {
  const backend = useBackend();
  const isOurs = server.target !== null;
  const wantsToken = useAuthView(server.id)?.attempt?.failure?.wants_token === true;
  const target = targetOf(server);
  const canSet = useEditableTarget(server) !== undefined;
  if (action.kind === 'set_variable' && canSet) {
    return <SetVariable server={server} name={action.name} isPrimary />;
  }
  if (failure?.kind === 'spawn_failed' && holdsMore(failure.fault) && target) {
    return (
      <Button
        variant="primary"
        onPress={() => editConfig({ target, name: server.name, place: null, splitsCommand: true })}
      >
        {PROBLEM.splitCommand}
      </Button>
    );
  }
  if (action.kind === 'edit_server' && isOurs) {
    return (
      <Button variant="primary" onPress={() => runAction('server.edit')}>
        {PROBLEM.edit}
      </Button>
    );
  }
  const shown = failure && acceptable(failure);
  if (action.kind === 'accept_certificate' && target && shown) {
    return (
      <Button
        variant="primary"
        onPress={() =>
          editConfig({ target, name: server.name, place: null, fingerprint: shown.fingerprint })
        }
      >
        {PROBLEM.acceptCertificate}
      </Button>
    );
  }
  if (failure?.kind === 'client_registration_required') {
    return (
      <Button
        variant="primary"
        onPress={() => {
          useAuth.getState().selectPage(server.id, 'client');
          useNavigation.getState().open({ server: server.id, tab: 'auth' });
        }}
      >
        {PROBLEM.enterClientId}
      </Button>
    );
  }
  if (action.kind === 'sign_in' && wantsToken) {
    return (
      <Button
        variant="primary"
        onPress={() => {
          useAuth.getState().enterToken(server.id);
          useNavigation.getState().open({ server: server.id, tab: 'auth' });
        }}
      >
        {PROBLEM.pasteToken}
      </Button>
    );
  }
  if (action.kind === 'sign_in') {
    return (
      <Button variant="primary" onPress={() => runAction('auth.sign-in')}>
        {PROBLEM.signIn}
      </Button>
    );
  }
  if (action.kind === 'show_traffic') {
    return (
      <Button variant="primary" onPress={() => showTraffic(server)}>
        {PROBLEM.showMessages}
      </Button>
    );
  }
  return (
    <Button variant="primary" onPress={() => connect(backend, server.id)}>
      {PROBLEM.connectAgain}
    </Button>
  );
}

/** The certificate that the server showed for itself. */
function acceptable(failure: Failure): CertificateFacts | undefined {
  return failure.kind === 'certificate_refused' ? failure.chain[0] : undefined;
}

function TrafficButton({ server }: { server: ServerView }) {
  return <Button onPress={() => showTraffic(server)}>{PROBLEM.showMessages}</Button>;
}

function showTraffic(server: ServerView): void {
  useNavigation.getState().showTraffic(`server:${server.name}`);
}
