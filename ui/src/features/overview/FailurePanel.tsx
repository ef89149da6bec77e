import type { ReactNode } from 'react';
import { useBackend } from '@/backend/backend';
import type {
  CertificateFacts,
  Failure,
  FailureReport,
  HintAction,
  ServerView,
  UnansweredRequest,
} from '@/backend/bindings';
import { Button } from '@/components/Button';
import { CommandLine } from '@/components/CommandLine';
import { ProblemPanel } from '@/components/ProblemPanel';
import { Facts } from '@/components/Section';
import { formatTimestamp } from '@/lib/format';
import { visibleLines, visibleText } from '@/lib/visible-text';
import { runAction } from '@/state/actions';
import { useAuth, useAuthView } from '@/state/auth';
import { editConfig } from '@/state/config-view';
import { targetOf } from '@/state/configuration';
import { connect } from '@/state/connecting';
import { useNavigation } from '@/state/navigation';
import { phaseLabel } from '@/state/phases';
import styles from './overview.module.css';
import { EVIDENCE, PROBLEM } from './texts';

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
      hint={withCode(visibleLines(report.hint.text))}
      actions={
        <>
          {!comesBack && (
            <FailureAction server={server} action={report.hint.action} failure={report.failure} />
          )}
          {!comesBack && <OtherActions server={server} action={report.hint.action} />}
          {(comesBack || report.hint.action !== 'show_traffic') && (
            <TrafficButton server={server} />
          )}
        </>
      }
    >
      <Facts facts={factsOf(report.failure, server)} />
    </ProblemPanel>
  );
}

/** Actions that help with any failure, beside the one that suits it best. */
function OtherActions({ server, action }: { server: ServerView; action: HintAction }) {
  const backend = useBackend();
  const isOurs = server.target !== null;
  const isOffered = action === 'reconnect' || (action === 'edit_server' && !isOurs);
  return (
    <>
      {!isOffered && (
        <Button onPress={() => connect(backend, server.id)}>{PROBLEM.connectAgain}</Button>
      )}
      {isOurs && action !== 'edit_server' && (
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

/** The one thing to do about it. */
export function FailureAction({ server, action, failure }: FailureActionProps) {
  const backend = useBackend();
  const isOurs = server.target !== null;
  const wantsToken = useAuthView(server.id)?.attempt?.failure?.wants_token === true;
  if (action === 'edit_server' && isOurs) {
    return (
      <Button variant="primary" onPress={() => runAction('server.edit')}>
        {PROBLEM.edit}
      </Button>
    );
  }
  const target = targetOf(server);
  const shown = failure && acceptable(failure);
  if (action === 'accept_certificate' && target && shown) {
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
  if (action === 'sign_in' && wantsToken) {
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
  if (action === 'sign_in') {
    return (
      <Button variant="primary" onPress={() => runAction('auth.sign-in')}>
        {PROBLEM.signIn}
      </Button>
    );
  }
  if (action === 'show_traffic') {
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

type FactRow = readonly [string, ReactNode];

function factsOf(failure: Failure, server: ServerView): FactRow[] {
  switch (failure.kind) {
    case 'spawn_failed':
      return [
        tried(failure.command_line),
        [
          EVIDENCE.cameBack,
          failure.program_missing ? EVIDENCE.programMissing : visibleLines(failure.message),
        ],
      ];
    case 'exited':
      return [
        tried(failure.command_line),
        [EVIDENCE.cameBack, EVIDENCE.exit(failure.code, failure.signal)],
        [EVIDENCE.stderr, lines(failure.stderr)],
        [EVIDENCE.stdout, lines(failure.stdout)],
        [EVIDENCE.noAnswerTo, unanswered(failure.unanswered)],
      ];
    case 'timed_out':
      return [
        tried(server.summary),
        [EVIDENCE.cameBack, EVIDENCE.silence(failure.limit ?? 0, phaseLabel(failure.phase))],
        [EVIDENCE.noAnswerTo, unanswered(failure.unanswered)],
        [EVIDENCE.stderr, lines(failure.stderr)],
      ];
    case 'sign_in_required':
      return [
        tried(failure.url),
        [EVIDENCE.cameBack, EVIDENCE.status(failure.status)],
        [
          EVIDENCE.challenge,
          failure.challenge && <code key="challenge">{visibleText(failure.challenge)}</code>,
        ],
      ];
    case 'client_registration_required':
      return [
        tried(server.summary),
        [EVIDENCE.issuer, <code key="issuer">{visibleText(failure.issuer)}</code>],
      ];
    case 'refused_by_policy':
      return [
        tried(server.summary),
        [EVIDENCE.rule, <code key="rule">{visibleText(failure.rule)}</code>],
      ];
    case 'session_expired':
      return [tried(failure.url), [EVIDENCE.cameBack, EVIDENCE.sessionUnknown]];
    case 'protocol_error':
      return [
        tried(server.summary),
        [EVIDENCE.cameBack, visibleLines(failure.message)],
        [EVIDENCE.received, failure.received && lines([failure.received])],
        [EVIDENCE.stderr, lines(failure.stderr)],
      ];
    case 'network':
      return [
        tried(failure.url),
        [EVIDENCE.cameBack, capitalized(visibleLines(failure.message))],
        [EVIDENCE.body, failure.body && lines([failure.body])],
      ];
    case 'certificate_refused':
      return [
        tried(failure.url),
        [EVIDENCE.cameBack, visibleLines(failure.message)],
        ...failure.chain.map(
          (certificate, index): FactRow => [
            index === 0 ? EVIDENCE.certificate : EVIDENCE.issuedBy,
            <CertificateBlock key={certificate.fingerprint} certificate={certificate} />,
          ],
        ),
      ];
    case 'token_unreadable':
      return [tried(server.summary), [EVIDENCE.cameBack, visibleLines(failure.message)]];
    case 'configuration':
      return [tried(server.summary), [EVIDENCE.problem, visibleLines(failure.message)]];
    case 'internal_error':
      return [tried(server.summary), [EVIDENCE.fault, visibleLines(failure.message)]];
  }
}

function CertificateBlock({ certificate }: { certificate: CertificateFacts }) {
  const { subject, issuer, names, not_before, not_after, fingerprint } = certificate;
  const day = (time: number | null) => formatTimestamp(time ?? 0).slice(0, 10);
  return (
    <div>
      <div>
        <code>{visibleText(subject)}</code>
      </div>
      <div className={styles.remark}>
        {EVIDENCE.certificateIssuer} <code>{visibleText(issuer)}</code>
      </div>
      {names.length > 0 && (
        <div className={styles.remark}>{visibleText(EVIDENCE.certificateNames(names))}</div>
      )}
      <div className={styles.remark}>
        {EVIDENCE.certificateDays(day(not_before), day(not_after))}
      </div>
      <div className={styles.remark}>
        SHA-256 <code className={styles.fingerprint}>{fingerprint}</code>
      </div>
    </div>
  );
}

function tried(what: string): FactRow {
  return [EVIDENCE.tried, <CommandLine key="tried" text={what} />];
}

/** A message of a library begins as it would within a sentence. */
function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function lines(texts: readonly string[]): ReactNode {
  return texts.length === 0 ? null : (
    <pre className={styles.output}>{visibleLines(texts.join('\n'))}</pre>
  );
}

function unanswered(requests: readonly UnansweredRequest[]): ReactNode {
  return requests.length === 0
    ? null
    : requests.map(({ id, method, waited }) => (
        <div key={id}>
          <code>{visibleText(EVIDENCE.request(method, id))}</code>{' '}
          <span className={styles.remark}>{EVIDENCE.openFor(waited ?? 0)}</span>
        </div>
      ));
}

/** Shows what stands between backticks as code. */
function withCode(text: string): ReactNode[] {
  return (
    text
      .split('`')
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one sentence never move
      .map((part, index) => (index % 2 === 1 ? <code key={index}>{part}</code> : part))
  );
}
