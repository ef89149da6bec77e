import { useBackend } from '@/backend/backend';
import type { FailureReport, FrameId, RequestOutcome, ServerId } from '@/backend/bindings';
import { Button } from '@/components/Button';
import { InlineCode } from '@/components/InlineCode';
import { ProblemPanel } from '@/components/ProblemPanel';
import { visibleLines } from '@/lib/visible-text';
import type { Run } from '@/state/calls/runs';
import { useNavigation } from '@/state/navigation';
import { useServer } from '@/state/servers/servers';
import { isSignInUnderWay, useAuthView } from '@/state/sign-in/auth';
import { signInAnd } from '@/state/sign-in/sign-in-again';
import { FailureFacts } from '@/widgets/failure/FailureFacts';
import { failureTitle, returnOf } from '@/widgets/failure/loss';
import { Cause, CopyPlace } from '@/widgets/failure/Sentences';
import { SetForSession } from '@/widgets/failure/SessionValues';
import { LOSS } from '@/widgets/failure/texts';

interface CallFailureProps {
  server: ServerId;
  request: Pick<RequestOutcome, 'requestFrame' | 'duration'>;
  failure: FailureReport;
  /** The run that failed, where it was sent from here. */
  run: Pick<Run, 'startedAt' | 'endedAt'> | undefined;
  /** Sends the same request again. */
  again?: (() => void) | undefined;
  /** True beside its row on record. */
  isOnRecord?: boolean;
}

/** Milliseconds within which the loss of a connection is told after that of its request. */
const SAME_LOSS = 2_000;

/** The reason why a request has no answer: cause, evidence, and what to do. */
export function CallFailure(props: CallFailureProps) {
  const { server, request, failure, run, again, isOnRecord = false } = props;
  const view = useServer(server);
  const { loss, reconnection } = view?.status ?? { loss: null, reconnection: null };
  const { action } = failure.hint;
  const missing =
    view && view.origin !== 'builtIn' && action.type === 'setVariable' ? action.name : null;
  const back =
    run === undefined
      ? null
      : returnOf(loss, reconnection !== null, {
          from: run.startedAt,
          to: (run.endedAt ?? run.startedAt + request.duration) + SAME_LOSS,
        });
  return (
    <ProblemPanel
      tone="bad"
      title={failureTitle(failure)}
      hint={<InlineCode text={visibleLines(failure.hint.text)} />}
      cause={<Cause report={failure} />}
      actions={
        <>
          {view && missing !== null && (
            <SetForSession
              server={view}
              name={missing}
              verb={again ? LOSS.setAndRun : LOSS.setAndConnect}
              then={again}
            />
          )}
          {failure.failure.type === 'signInRequired' ? (
            <SignInAgain server={server} again={again} />
          ) : (
            again && (
              <Button variant={missing === null ? 'primary' : 'plain'} onPress={again}>
                {LOSS.runAgain}
              </Button>
            )
          )}
          {failure.trace && <CopyPlace trace={failure.trace} />}
          {!isOnRecord && <ShowMessages frame={request.requestFrame} />}
        </>
      }
    >
      {back !== null && (
        <p role="status" className="text-data faint">
          {back}
        </p>
      )}
      <FailureFacts report={failure} summary={view?.summary ?? ''} />
    </ProblemPanel>
  );
}

function SignInAgain({ server, again }: { server: ServerId; again: (() => void) | undefined }) {
  const backend = useBackend();
  const isRunning = isSignInUnderWay(useAuthView(server)?.attempt ?? null);
  return (
    <Button
      variant="primary"
      isDisabled={isRunning}
      onPress={() => signInAnd(backend, server, () => again?.())}
    >
      {isRunning ? LOSS.signingIn : again ? LOSS.signInAndRun : LOSS.signIn}
    </Button>
  );
}

/** Leads to the row of the request, or to all where it was not sent. */
function ShowMessages({ frame }: { frame: FrameId | null }) {
  const { showExchange, showTraffic } = useNavigation.getState();
  // A row has the number of its first frame.
  return (
    <Button onPress={() => (frame === null ? showTraffic('') : showExchange(frame))}>
      {LOSS.messages}
    </Button>
  );
}
