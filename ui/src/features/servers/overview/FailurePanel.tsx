import { useBackend } from '@/backend/backend';
import type { Failure, FailureReport, HintAction, ServerId, ServerView } from '@/backend/bindings';
import { Button } from '@/components/Button';
import { InlineCode } from '@/components/InlineCode';
import { ProblemPanel } from '@/components/ProblemPanel';
import { visibleLines, visibleText } from '@/lib/visible-text';
import { runAction } from '@/state/actions';
import { showRepair } from '@/state/dialogs';
import { openPlace, showTraffic } from '@/state/navigation';
import { connect } from '@/state/servers/connecting';
import { wantsSignIn } from '@/state/servers/phases';
import { useEditableTarget } from '@/state/setup/configuration';
import { endsEncryption, type Repair, repairOf } from '@/state/setup/repair';
import { useAuth, useAuthView } from '@/state/sign-in/auth';
import { FailureFacts } from '@/widgets/failure/FailureFacts';
import { Cause, CopyPlace } from '@/widgets/failure/Sentences';
import { SetForSession, SetHeader } from '@/widgets/failure/SessionValues';
import { LOSS, REPAIR_BUTTON } from '@/widgets/failure/texts';
import { editTried } from './edit-tried';
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
      tone={comesBack || wantsSignIn(report) ? 'warn' : 'bad'}
      title={PROBLEM[comesBack ? 'lastTry' : 'failed'](visibleText(report.reason))}
      hint={<InlineCode text={visibleLines(report.hint.text)} />}
      cause={<Cause report={report} />}
      actions={
        <>
          {report.mayBeElsewhere && (
            <Button
              variant={comesBack ? 'plain' : 'primary'}
              onPress={() => runAction('server.doctor')}
            >
              {PROBLEM.tryPaths}
            </Button>
          )}
          {!comesBack && !report.mayBeElsewhere && (
            <FailureAction server={server} action={report.hint.action} failure={report.failure} />
          )}
          {!comesBack && <OtherActions server={server} report={report} />}
          {report.trace && <CopyPlace trace={report.trace} />}
          {(comesBack || report.hint.action.type !== 'showTraffic') && (
            <Button onPress={() => showMessages(server)}>{PROBLEM.showMessages}</Button>
          )}
        </>
      }
    >
      <FailureFacts report={report} summary={server.summary} />
    </ProblemPanel>
  );
}

/** Actions that help with any failure, beside the one that suits it best. */
function OtherActions({ server, report: { failure, hint, mayBeElsewhere } }: FailedServer) {
  const backend = useBackend();
  const isOurs = server.target !== null;
  const repair = useRepair(server, failure);
  const isRepaired = repair !== null && !endsEncryption(repair);
  const { type: kind } = hint.action;
  const isOther = isRepaired || mayBeElsewhere;
  const isOffered = !isOther && (kind === 'reconnect' || (kind === 'editServer' && !isOurs));
  const isEdited = kind === 'editServer' && !isOther;
  const isTokenFirst = useWantsToken(server, failure) && kind === 'signIn';
  return (
    <>
      {failure.type === 'signInRequired' && failure.status === 401 && (
        <Button onPress={() => (isTokenFirst ? runAction('auth.sign-in') : enterToken(server.id))}>
          {isTokenFirst ? PROBLEM.signIn : PROBLEM.pasteToken}
        </Button>
      )}
      {!isOffered && (
        <Button onPress={() => connect(backend, server.id)}>{PROBLEM.connectAgain}</Button>
      )}
      {isOurs && !isEdited && (
        <Button onPress={() => runAction('server.edit')}>{PROBLEM.edit}</Button>
      )}
      {repair !== null && !isRepaired && (
        <Button onPress={() => showRepair(server.id, repair)}>{REPAIR_BUTTON(repair)}</Button>
      )}
      {server.origin === 'tried' && (
        <Button onPress={() => editTried(backend, server.id)}>{PROBLEM.edit}</Button>
      )}
    </>
  );
}

interface FailureActionProps {
  server: ServerView;
  action: HintAction;
  failure?: Failure | undefined;
}

/** Offers what mends the entry of a server, where that can be edited. */
function useRepair(server: ServerView, failure: Failure | undefined): Repair | null {
  return useEditableTarget(server) === undefined ? null : repairOf(failure);
}

/**
 * Tells whether a token is the next thing to try: a sign-in found no OAuth, or the refusal names no
 * way to sign in and nobody has signed in before.
 */
function useWantsToken({ id }: ServerView, failure: Failure | undefined): boolean {
  const view = useAuthView(id);
  if (view?.attempt?.failure?.wantsToken === true) return true;
  const isBare = failure?.type === 'signInRequired' && failure.challenge === null;
  return (
    isBare && failure.status === 401 && !['signedIn', 'expired'].includes(view?.status.type ?? '')
  );
}

/** The one thing to do about it. */
export function FailureAction({ server, action, failure }: FailureActionProps) {
  const backend = useBackend();
  const isOurs = server.target !== null;
  const wantsToken = useWantsToken(server, failure);
  const repair = useRepair(server, failure);
  if (action.type === 'setVariable' && server.origin !== 'builtIn') {
    return <SetForSession server={server} name={action.name} verb={LOSS.setAndConnect} />;
  }
  if (action.type === 'setHeader') return <SetHeader server={server} name={action.name} />;
  const [label, run] = ((): readonly [string, () => void] => {
    if (repair !== null && !endsEncryption(repair)) {
      return [REPAIR_BUTTON(repair), () => showRepair(server.id, repair)];
    }
    if (action.type === 'editServer' && isOurs) {
      return [PROBLEM.edit, () => runAction('server.edit')];
    }
    if (failure?.type === 'clientRegistrationRequired') {
      return [PROBLEM.enterClientId, () => enterClientId(server.id)];
    }
    switch (action.type) {
      case 'signIn':
        return wantsToken
          ? [PROBLEM.pasteToken, () => enterToken(server.id)]
          : [PROBLEM.signIn, () => runAction('auth.sign-in')];
      case 'showTraffic':
        return [PROBLEM.showMessages, () => showMessages(server)];
      default:
        return [PROBLEM.connectAgain, () => connect(backend, server.id)];
    }
  })();
  return (
    <Button variant="primary" onPress={run}>
      {label}
    </Button>
  );
}

function enterClientId(server: ServerId): void {
  useAuth.getState().selectPage(server, 'client');
  openPlace({ server, section: 'sign-in' });
}

/** Opens the field for a token that the user has already. */
function enterToken(server: ServerId): void {
  useAuth.getState().enterToken(server);
  openPlace({ server, section: 'sign-in' });
}

function showMessages(server: ServerView): void {
  showTraffic(`server:${server.name}`);
}
