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
          {report.mayBeElsewhere && (
            <Button onPress={() => runAction('server.doctor')}>{PROBLEM.tryPaths}</Button>
          )}
          {(comesBack || report.hint.action.type !== 'showTraffic') && (
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
    action.type === 'reconnect' ||
    (action.type === 'editServer' && !isOurs) ||
    (action.type === 'setVariable' && !canSet);
  const isEdited = action.type === 'editServer' || (action.type === 'setVariable' && canSet);
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
    fault.type === 'argumentsInCommand' ||
    (fault.type === 'variablesInCommand' && fault.line.length > 0)
  );
}

/** The one thing to do about it. */
export function FailureAction({ server, action, failure }: FailureActionProps) {
  const backend = useBackend();
  const isOurs = server.target !== null;
  const wantsToken = useAuthView(server.id)?.attempt?.failure?.wantsToken === true;
  const target = targetOf(server);
  const canSet = useEditableTarget(server) !== undefined;
  if (action.type === 'setVariable' && canSet) {
    return <SetVariable server={server} name={action.name} isPrimary />;
  }
  if (failure?.type === 'spawnFailed' && holdsMore(failure.fault) && target) {
    return (
      <Button
        variant="primary"
        onPress={() => editConfig({ target, name: server.name, place: null, splitsCommand: true })}
      >
        {PROBLEM.splitCommand}
      </Button>
    );
  }
  if (action.type === 'editServer' && isOurs) {
    return (
      <Button variant="primary" onPress={() => runAction('server.edit')}>
        {PROBLEM.edit}
      </Button>
    );
  }
  const shown = failure && acceptable(failure);
  if (action.type === 'acceptCertificate' && target && shown) {
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
  if (failure?.type === 'clientRegistrationRequired') {
    return (
      <Button
        variant="primary"
        onPress={() => {
          useAuth.getState().selectPage(server.id, 'client');
          useNavigation.getState().open({ server: server.id, section: 'sign-in' });
        }}
      >
        {PROBLEM.enterClientId}
      </Button>
    );
  }
  if (action.type === 'signIn' && wantsToken) {
    return (
      <Button
        variant="primary"
        onPress={() => {
          useAuth.getState().enterToken(server.id);
          useNavigation.getState().open({ server: server.id, section: 'sign-in' });
        }}
      >
        {PROBLEM.pasteToken}
      </Button>
    );
  }
  if (action.type === 'signIn') {
    return (
      <Button variant="primary" onPress={() => runAction('auth.sign-in')}>
        {PROBLEM.signIn}
      </Button>
    );
  }
  if (action.type === 'showTraffic') {
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
  return failure.type === 'certificateRefused' ? failure.chain[0] : undefined;
}

function TrafficButton({ server }: { server: ServerView }) {
  return <Button onPress={() => showTraffic(server)}>{PROBLEM.showMessages}</Button>;
}

function showTraffic(server: ServerView): void {
  useNavigation.getState().showTraffic(`server:${server.name}`);
}
