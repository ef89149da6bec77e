import type { AuthView, GrantView, ServerView, SignInFailure } from '@/backend/bindings';
import { Button } from '@/components/Button';
import { InlineCode } from '@/components/InlineCode';
import { Facts, Section } from '@/components/Section';
import { hostOf } from '@/lib/url';
import { visibleLines, visibleText } from '@/lib/visible-text';
import { isSignInUnderWay, questionOf, useAuth } from '@/state/sign-in/auth';
import { ClauseLink } from '@/widgets/findings/FindingList';
import { useMinute } from './AccountBar';
import { Agreement, EndpointAgreement } from './Agreement';
import { ACTIONS } from './account-texts';
import styles from './auth.module.css';
import { Identities } from './Identities';
import { momentText, untilText } from './moments';
import { Secrets } from './Secrets';
import { chosenIdentity } from './sign-in-status';
import { ACCOUNT, GRANT, REGISTRATIONS, TAB } from './texts';
import { Waiting } from './Waiting';
import { Withheld } from './Withheld';

/** The sign-in for users who just want to be signed in. */
export function AccountPage({ server, view }: { server: ServerView; view: AuthView }) {
  return (
    <div className="fill h-full scroll">
      {server.blocked?.type === 'refused' && <Note title={TAB.refused}>{TAB.refusedKept}</Note>}
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
  const { issuerQuestion, endpointQuestion } = attempt ?? {};
  // Built anew for each question, so that no key is an answer to another one.
  const key = JSON.stringify([server.id, questionOf(attempt)]);
  const asked = { server, view };
  if (issuerQuestion) return <Agreement key={key} {...asked} question={issuerQuestion} />;
  if (endpointQuestion) {
    return <EndpointAgreement key={key} {...asked} question={endpointQuestion} />;
  }
  if (isSignInUnderWay(attempt))
    return <Waiting server={server} attempt={attempt} vault={view.vault} />;
  if (mode === 'off') {
    return <Note title={ACCOUNT.off}>{ACCOUNT.offMeaning}</Note>;
  }
  if (mode === 'bearer') {
    return <Note title={ACCOUNT.fixedToken}>{ACCOUNT.fixedTokenMeaning}</Note>;
  }
  if (status.type === 'signedIn') {
    const grant = chosenIdentity(view)?.grant;
    return grant ? <Grant grant={grant} /> : null;
  }
  const failure = attempt?.state === 'failed' ? attempt.failure : null;
  return (
    <>
      {failure && <Failed server={server} failure={failure} />}
      {status.type === 'required' && (
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
      {status.type === 'expired' && <Note title={ACCOUNT.again}>{visibleText(status.reason)}</Note>}
      {status.type === 'waitingForKeychain' && (
        <Note title={ACCOUNT.keychain}>{ACCOUNT.keychainMeaning(view.vault.label)}</Note>
      )}
      {status.type === 'signedOut' && !failure && (
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
          {failure.wantsToken && (
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
        <InlineCode text={visibleLines(failure.hint)} />
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
            untilText(grant.expiresAt, now) ?? <Unknown key="until">{GRANT.noEnd}</Unknown>,
          ],
          [GRANT.renewed, grant.refreshable ? GRANT.byItself : GRANT.bySigningIn],
          [
            GRANT.scopes,
            grant.scopesGranted.length > 0 ? (
              <span key="scopes" className={styles.scopes}>
                {grant.scopesGranted.map((scope) => (
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
            grant.widerResource && (
              <span key="wider" className="text-small warn">
                {GRANT.widerMeaning(visibleText(grant.widerResource))}
              </span>
            ),
          ],
          [
            GRANT.client,
            <span key="client">
              <code>{visibleText(grant.clientId)}</code>{' '}
              <span className="regular remark">{REGISTRATIONS[grant.registration]}</span>
            </span>,
          ],
          [GRANT.since, grant.signedInAt === null ? null : momentText(grant.signedInAt, now)],
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
