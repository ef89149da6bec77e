import type { ReactNode } from 'react';
import type { CertificateFacts, FailureReport, UnansweredRequest } from '@/backend/bindings';
import { CommandLine } from '@/components/CommandLine';
import { Facts } from '@/components/Section';
import { formatTimestamp } from '@/lib/format';
import { visibleLines, visibleText } from '@/lib/visible-text';
import { phaseLabel } from '@/state/servers/phases';
import { causeOf, Output } from './Sentences';
import { EVIDENCE } from './texts';

interface FailureFactsProps {
  report: FailureReport;
  /** The command or the address of the server. */
  summary: string;
}

/** Shows what was tried, and what came back. */
export function FailureFacts({ report, summary }: FailureFactsProps) {
  return <Facts facts={factsOf(report, summary)} />;
}

type FactRow = readonly [string, ReactNode];

function factsOf(report: FailureReport, summary: string): FactRow[] {
  const { failure } = report;
  const cause = causeOf(report);
  /** The output, unless all of it is shown as the cause. */
  const stderr = (texts: readonly string[]): FactRow => [
    EVIDENCE.stderr,
    texts.every((text) => cause.includes(text)) ? null : lines(texts),
  ];
  switch (failure.type) {
    case 'spawnFailed':
      return [
        tried(failure.commandLine),
        [
          EVIDENCE.cameBack,
          failure.fault.type === 'notOnPath'
            ? EVIDENCE.programMissing
            : capitalized(visibleLines(failure.message)),
        ],
      ];
    case 'exited':
      return [
        tried(failure.commandLine),
        [EVIDENCE.cameBack, EVIDENCE.exit(failure.code, failure.signal)],
        stderr(failure.stderr),
        [EVIDENCE.stdout, lines(failure.stdout)],
        [EVIDENCE.noAnswerTo, unanswered(failure.unanswered)],
      ];
    case 'timedOut':
      return [
        tried(summary),
        [EVIDENCE.cameBack, EVIDENCE.silence(failure.limit ?? 0, phaseLabel(failure.phase))],
        [EVIDENCE.prompt, failure.prompt && lines([failure.prompt])],
        [EVIDENCE.noAnswerTo, unanswered(failure.unanswered)],
        stderr(failure.stderr),
      ];
    case 'signInRequired':
      return [
        tried(failure.url),
        [EVIDENCE.cameBack, EVIDENCE.status(failure.status)],
        [
          EVIDENCE.challenge,
          failure.challenge && <code key="challenge">{visibleText(failure.challenge)}</code>,
        ],
        [EVIDENCE.body, failure.body && lines([failure.body])],
      ];
    case 'clientRegistrationRequired':
      return [
        tried(summary),
        [EVIDENCE.issuer, <code key="issuer">{visibleText(failure.issuer)}</code>],
      ];
    case 'refusedByPolicy':
      return [tried(summary), [EVIDENCE.rule, <code key="rule">{visibleText(failure.rule)}</code>]];
    case 'sessionExpired':
      return [tried(failure.url), [EVIDENCE.cameBack, EVIDENCE.sessionUnknown]];
    case 'protocolError':
      return [
        tried(summary),
        [EVIDENCE.cameBack, visibleLines(failure.message)],
        [EVIDENCE.received, failure.received && lines([failure.received])],
        stderr(failure.stderr),
      ];
    case 'network':
      return [
        tried(failure.url),
        [EVIDENCE.cameBack, capitalized(visibleLines(failure.message))],
        [
          EVIDENCE.proxy,
          failure.proxy &&
            EVIDENCE.proxyFrom(visibleText(failure.proxy.address), failure.proxy.source),
        ],
        [EVIDENCE.body, failure.body && lines([failure.body])],
      ];
    case 'certificateRefused':
      return [
        tried(failure.url),
        // The message is the name that the check gives the fault, such as `UnknownIssuer`.
        [EVIDENCE.cameBack, capitalized(visibleLines(`${report.reason} (${failure.message})`))],
        ...failure.chain.map(
          (certificate, index): FactRow => [
            index === 0 ? EVIDENCE.certificate : EVIDENCE.issuedBy,
            <CertificateBlock key={certificate.fingerprint} certificate={certificate} />,
          ],
        ),
      ];
    case 'tokenUnreadable':
      return [tried(summary), [EVIDENCE.cameBack, visibleLines(failure.message)]];
    case 'configuration':
      return [tried(summary), [EVIDENCE.problem, visibleLines(failure.message)]];
    case 'internalError':
      return [tried(summary), [EVIDENCE.fault, visibleLines(failure.message)]];
  }
}

function CertificateBlock({ certificate }: { certificate: CertificateFacts }) {
  const { subject, issuer, names, notBefore, notAfter, fingerprint } = certificate;
  const day = (time: number | null) => formatTimestamp(time ?? 0).slice(0, 10);
  return (
    <div>
      <div>
        <code>{visibleText(subject)}</code>
      </div>
      <div className="regular remark">
        {EVIDENCE.certificateIssuer} <code>{visibleText(issuer)}</code>
      </div>
      {names.length > 0 && (
        <div className="regular remark">{visibleText(EVIDENCE.certificateNames(names))}</div>
      )}
      <div className="regular remark">
        {EVIDENCE.certificateDays(day(notBefore), day(notAfter))}
      </div>
      <div className="regular remark">
        SHA-256 <code className="break-anywhere">{fingerprint}</code>
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

/** Nothing without lines, so that their row is left out. */
function lines(texts: readonly string[]): ReactNode {
  return texts.length === 0 ? null : <Output lines={texts} />;
}

function unanswered(requests: readonly UnansweredRequest[]): ReactNode {
  return requests.length === 0
    ? null
    : requests.map(({ id, method, target, waited }) => (
        <div key={id}>
          <code>{visibleText(EVIDENCE.request(method, target, id))}</code>{' '}
          <span className="regular remark">{EVIDENCE.openFor(waited ?? 0)}</span>
        </div>
      ));
}
