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
import { Facts } from '@/components/Section';
import { formatDuration, formatTimestamp } from '@/lib/format';
import { visibleLines, visibleText } from '@/lib/visible-text';
import { runAction } from '@/state/actions';
import { useAuth } from '@/state/auth';
import { editConfig } from '@/state/config-view';
import { targetOf } from '@/state/configuration';
import { connect } from '@/state/connecting';
import { useNavigation } from '@/state/navigation';
import { phaseLabel } from '@/state/phases';
import styles from './overview.module.css';

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
  const titleId = `failure-${server.id}`;
  return (
    <section aria-labelledby={titleId} className={styles.failure}>
      <h2 id={titleId}>
        <span className={styles.failureGlyph} aria-hidden="true">
          ✕
        </span>
        Failed: {visibleText(report.reason)}
      </h2>
      <p className={styles.hint}>{withCode(visibleLines(report.hint.text))}</p>
      <div className={styles.failureActions}>
        {!comesBack && (
          <FailureAction server={server} action={report.hint.action} failure={report.failure} />
        )}
        {!comesBack && <OtherActions server={server} action={report.hint.action} />}
        {(comesBack || report.hint.action !== 'show_traffic') && <TrafficButton server={server} />}
      </div>
      <Facts facts={factsOf(report.failure, server)} />
    </section>
  );
}

/** Actions that help with any failure, beside the one that suits it best. */
function OtherActions({ server, action }: { server: ServerView; action: HintAction }) {
  const backend = useBackend();
  const isOurs = server.scope !== null;
  const isOffered = action === 'reconnect' || (action === 'edit_server' && !isOurs);
  return (
    <>
      {!isOffered && <Button onPress={() => connect(backend, server.id)}>Connect again</Button>}
      {isOurs && action !== 'edit_server' && (
        <Button onPress={() => runAction('server.edit')}>Edit server</Button>
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
  const isOurs = server.scope !== null;
  if (action === 'edit_server' && isOurs) {
    return (
      <Button variant="primary" onPress={() => runAction('server.edit')}>
        Edit server
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
        Accept this certificate…
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
        Enter a client id
      </Button>
    );
  }
  if (action === 'sign_in') {
    return (
      <Button variant="primary" onPress={() => runAction('auth.sign-in')}>
        Sign in
      </Button>
    );
  }
  if (action === 'show_traffic') {
    return (
      <Button variant="primary" onPress={() => showTraffic(server)}>
        Show messages
      </Button>
    );
  }
  return (
    <Button variant="primary" onPress={() => connect(backend, server.id)}>
      Connect again
    </Button>
  );
}

/** The certificate that the server showed for itself. */
function acceptable(failure: Failure): CertificateFacts | undefined {
  return failure.kind === 'certificate_refused' ? failure.chain[0] : undefined;
}

function TrafficButton({ server }: { server: ServerView }) {
  return <Button onPress={() => showTraffic(server)}>Show messages</Button>;
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
          'Came back',
          failure.program_missing ? 'The program was not found' : visibleLines(failure.message),
        ],
      ];
    case 'exited':
      return [
        tried(failure.command_line),
        ['Came back', exitText(failure.code, failure.signal)],
        ['Last of stderr', lines(failure.stderr)],
        ['Last of stdout', lines(failure.stdout)],
        ['No answer to', unanswered(failure.unanswered)],
      ];
    case 'timed_out':
      return [
        tried(server.summary),
        [
          'Came back',
          `Nothing within ${formatDuration(failure.limit ?? 0)} while ${phaseLabel(failure.phase).toLowerCase()}`,
        ],
        ['No answer to', unanswered(failure.unanswered)],
        ['Last of stderr', lines(failure.stderr)],
      ];
    case 'sign_in_required':
      return [
        tried(failure.url),
        ['Came back', `HTTP ${failure.status}`],
        [
          'Challenge',
          failure.challenge && <code key="challenge">{visibleText(failure.challenge)}</code>,
        ],
      ];
    case 'client_registration_required':
      return [
        tried(server.summary),
        ['Issuer', <code key="issuer">{visibleText(failure.issuer)}</code>],
      ];
    case 'refused_by_policy':
      return [tried(server.summary), ['Rule', <code key="rule">{visibleText(failure.rule)}</code>]];
    case 'session_expired':
      return [tried(failure.url), ['Came back', 'The server no longer knows the session']];
    case 'protocol_error':
      return [
        tried(server.summary),
        ['Came back', visibleLines(failure.message)],
        ['Received', failure.received && lines([failure.received])],
        ['Last of stderr', lines(failure.stderr)],
      ];
    case 'network':
      return [
        tried(failure.url),
        ['Came back', capitalized(visibleLines(failure.message))],
        ['Body', failure.body && lines([failure.body])],
      ];
    case 'certificate_refused':
      return [
        tried(failure.url),
        ['Came back', visibleLines(failure.message)],
        ...failure.chain.map(
          (certificate, index): FactRow => [
            index === 0 ? 'Certificate' : 'Issued by',
            <CertificateBlock key={certificate.fingerprint} certificate={certificate} />,
          ],
        ),
      ];
    case 'token_unreadable':
      return [tried(server.summary), ['Came back', visibleLines(failure.message)]];
    case 'configuration':
      return [tried(server.summary), ['Problem', visibleLines(failure.message)]];
    case 'internal_error':
      return [tried(server.summary), ['Defect', visibleLines(failure.message)]];
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
        issued by <code>{visibleText(issuer)}</code>
      </div>
      {names.length > 0 && <div className={styles.remark}>for {visibleText(names.join(', '))}</div>}
      <div className={styles.remark}>
        valid from {day(not_before)} to {day(not_after)}
      </div>
      <div className={styles.remark}>
        SHA-256 <code className={styles.fingerprint}>{fingerprint}</code>
      </div>
    </div>
  );
}

function tried(what: string): FactRow {
  return ['Tried', <CommandLine key="tried" text={what} />];
}

/** A message of a library begins as it would within a sentence. */
function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function exitText(code: number | null, signal: number | null): string {
  if (signal !== null) return `The program was ended by signal ${signal}`;
  return `The program ended with exit code ${code ?? 'unknown'}`;
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
          <code>{visibleText(`${method} (id ${id})`)}</code>{' '}
          <span className={styles.remark}>open for {formatDuration(waited ?? 0)}</span>
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
