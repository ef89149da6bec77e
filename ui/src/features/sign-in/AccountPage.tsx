import type { AuthView, GrantView, ServerView, SignInFailure } from '@/backend/bindings';
import { Button } from '@/components/Button';
import { Facts, Section } from '@/components/Section';
import { hostOf } from '@/lib/url';
import { visibleLines, visibleText } from '@/lib/visible-text';
import { isSignInUnderWay, questionOf, useAuth } from '@/state/sign-in/auth';
import { CodeSentence } from '@/widgets/failure/CodeSentence';
import { ClauseLink } from '@/widgets/findings/ClauseLink';
import { useMinute } from './AccountBar';
import { Agreement } from './Agreement';
import styles from './auth.module.css';
import { EndpointAgreement } from './EndpointAgreement';
import { Identities } from './Identities';
import { momentText, untilText } from './moments';
import { Secrets } from './Secrets';
import { chosenIdentity } from './sign-in-status';
import { ACCOUNT, ACTIONS, GRANT, REGISTRATIONS, TAB } from './texts';
import { Waiting } from './Waiting';
import { Withheld } from './Withheld';

/** The sign-in for users who just want to be signed in. */
export function AccountPage({ server, view }: { server: ServerView; view: AuthView }) {
  return (
    <div className="fill h-full scroll">
      {server.blocked?.kind === 'refused' && <Note title={TAB.refused}>{TAB.refusedKept}</Note>}
      <Withheld server={server} view={view} />
      <Now server={server} view={view} />
      <Identities server={server} view={view} />
      <Secrets vault={view.vault} />
    </div>
  );
}

/** The status of the sign-in, and its reason. */
function Now({ server, view }: { server: ServerView; view: AuthView }) {
  const { attempt, mode, status } = view;
  const { issuer_question, endpoint_question } = attempt ?? {};
  // Built anew for each question, so that no key is an answer to another one.
  const key = JSON.stringify([server.id, questionOf(attempt)]);
  const asked = { server, view };
  if (issuer_question) return <Agreement key={key} {...asked} question={issuer_question} />;
  if (endpoint_question) {
    return <EndpointAgreement key={key} {...asked} question={endpoint_question} />;
  }
  if (isSignInUnderWay(attempt))
    return <Waiting server={server} attempt={attempt} vault={view.vault} />;
  if (mode === 'off') {
    return <Note title={ACCOUNT.off}>{ACCOUNT.offMeaning}</Note>;
  }
  if (mode === 'bearer') {
    return <Note title={ACCOUNT.fixedToken}>{ACCOUNT.fixedTokenMeaning}</Note>;
  }
  if (status.kind === 'signed_in') {
    const grant = chosenIdentity(view)?.grant;
    return grant ? <Grant grant={grant} /> : null;
  }
  const failure = attempt?.state === 'failed' ? attempt.failure : null;
  return (
    <>
      {failure && <Failed server={server} failure={failure} />}
      {status.kind === 'required' && (
        <Section title={ACCOUNT.whyNeeded}>
          <p className={styles.prose}>{visibleText(status.challenge.message)}</p>
          <Facts
            facts={[
              [ACCOUNT.address, <code key="url">{visibleText(status.challenge.url)}</code>],
              [ACCOUNT.answer, <code key="status">{ACCOUNT.status(status.challenge.status)}</code>],
              [
                ACCOUNT.challenge,
                status.challenge.header === null ? (
                  <span key="none" className="regular remark">
                    {ACCOUNT.noChallenge}
                  </span>
                ) : (
                  <code key="header">{visibleText(status.challenge.header)}</code>
                ),
              ],
            ]}
          />
        </Section>
      )}
      {status.kind === 'expired' && <Note title={ACCOUNT.again}>{visibleText(status.reason)}</Note>}
      {status.kind === 'waiting_for_keychain' && (
        <Note title={ACCOUNT.keychain}>{ACCOUNT.keychainMeaning(view.vault.label)}</Note>
      )}
      {status.kind === 'signed_out' && !failure && (
        <Note title={ACCOUNT.notSignedIn}>{ACCOUNT.notSignedInMeaning}</Note>
      )}
    </>
  );
}

function Note({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <Section title={title}>
      <p className={styles.prose}>{children}</p>
    </Section>
  );
}

function Failed({ server, failure }: { server: ServerView; failure: SignInFailure }) {
  const { selectPage, enterToken } = useAuth.getState();
  return (
    <Section
      title={ACCOUNT.failed}
      aside={
        <>
          {failure.wants_token && (
            <Button variant="primary" onPress={() => enterToken(server.id)}>
              {ACTIONS.pasteToken}
            </Button>
          )}
          <Button onPress={() => selectPage(server.id, 'steps')}>{ACCOUNT.showStep}</Button>
        </>
      }
    >
      <p className={styles.prose}>
        {visibleLines(failure.message)} {failure.clause && <ClauseLink clause={failure.clause} />}
      </p>
      <p className={styles.prose}>
        <CodeSentence text={visibleLines(failure.hint)} />
      </p>
    </Section>
  );
}

function Grant({ grant }: { grant: GrantView }) {
  const now = useMinute();
  return (
    <Section title={GRANT.title}>
      <Facts
        facts={[
          [
            GRANT.account,
            grant.account ? (
              visibleText(grant.account)
            ) : (
              <Unknown key="who">{GRANT.noAccount}</Unknown>
            ),
          ],
          [
            GRANT.valid,
            untilText(grant.expires_at, now) ?? <Unknown key="until">{GRANT.noEnd}</Unknown>,
          ],
          [GRANT.renewed, grant.refreshable ? GRANT.byItself : GRANT.bySigningIn],
          [
            GRANT.scopes,
            grant.scopes_granted.length > 0 ? (
              <span key="scopes" className={styles.scopes}>
                {grant.scopes_granted.map((scope) => (
                  <code key={scope}>{visibleText(scope)}</code>
                ))}
              </span>
            ) : (
              <Unknown key="scopes">{GRANT.noScopes}</Unknown>
            ),
          ],
          [GRANT.issuer, <code key="issuer">{visibleText(grant.issuer)}</code>],
          [GRANT.resource, <code key="resource">{visibleText(grant.resource)}</code>],
          [
            GRANT.wider,
            grant.wider_resource && (
              <span key="wider" className="text-small warn">
                {GRANT.widerMeaning(visibleText(grant.wider_resource))}
              </span>
            ),
          ],
          [
            GRANT.client,
            <span key="client">
              <code>{visibleText(grant.client_id)}</code>{' '}
              <span className="regular remark">{REGISTRATIONS[grant.registration]}</span>
            </span>,
          ],
          [GRANT.since, grant.signed_in_at === null ? null : momentText(grant.signed_in_at, now)],
        ]}
      />
      {!grant.revocable && (
        <p className="regular remark">{GRANT.noRevocation(hostOf(grant.issuer))}</p>
      )}
    </Section>
  );
}

function Unknown({ children }: { children: string }) {
  return <span className="regular remark">{children}</span>;
}
