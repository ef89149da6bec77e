import type { AuthView, GrantView, ServerView, SignInFailure } from '@/backend/bindings';
import { Button } from '@/components/Button';
import { Facts, Section } from '@/components/Section';
import { hostOf } from '@/lib/url';
import { visibleLines, visibleText } from '@/lib/visible-text';
import { isSignInUnderWay, useAuth } from '@/state/auth';
import { useMinute } from './AccountBar';
import { Agreement } from './Agreement';
import styles from './auth.module.css';
import { ClauseLink } from './ClauseLink';
import { Identities } from './Identities';
import { momentText, untilText } from './moments';
import { Secrets } from './Secrets';
import { chosenIdentity } from './sign-in-status';
import { Waiting } from './Waiting';
import { Withheld } from './Withheld';

/** The sign-in for users who just want to be signed in. */
export function AccountPage({ server, view }: { server: ServerView; view: AuthView }) {
  return (
    <div className={styles.scroll}>
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
  const question = attempt?.issuer_question;
  if (question) return <Agreement server={server} view={view} question={question} />;
  if (isSignInUnderWay(attempt))
    return <Waiting server={server} attempt={attempt} vault={view.vault} />;
  if (mode === 'off') {
    return (
      <Note title="Sign-in is off">
        Requests go out as the configuration says, and a 401 is shown as it comes. It can be turned
        on again under Client.
      </Note>
    );
  }
  if (mode === 'bearer') {
    return (
      <Note title="A fixed token is sent">
        Every request carries the same token, so there is nothing to sign in to. Where it comes from
        is set under Client.
      </Note>
    );
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
        <Section title="Why a sign-in is needed">
          <p className={styles.prose}>{visibleText(status.challenge.message)}</p>
          <Facts
            facts={[
              ['Address', <code key="url">{visibleText(status.challenge.url)}</code>],
              ['Answer', <code key="status">HTTP {status.challenge.status}</code>],
              [
                'Challenge',
                status.challenge.header === null ? (
                  <span key="none" className={styles.remark}>
                    none: the answer had no WWW-Authenticate header
                  </span>
                ) : (
                  <code key="header">{visibleText(status.challenge.header)}</code>
                ),
              ],
            ]}
          />
        </Section>
      )}
      {status.kind === 'expired' && (
        <Note title="You have to sign in again">{visibleText(status.reason)}</Note>
      )}
      {status.kind === 'waiting_for_keychain' && (
        <Note title="Waiting for your keychain">
          Your sign-in is kept in {view.vault.label}, which is locked. Unlock it in the window that
          it has opened; nothing times out meanwhile.
        </Note>
      )}
      {status.kind === 'signed_out' && !failure && (
        <Note title="Not signed in">
          Signing in opens your browser at the page of whoever runs this server. You come back here
          by yourself.
        </Note>
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
  const selectPage = useAuth((state) => state.selectPage);
  return (
    <Section
      title="The sign-in failed"
      aside={<Button onPress={() => selectPage(server.id, 'steps')}>Show the step</Button>}
    >
      <p className={styles.prose}>
        {visibleLines(failure.message)} {failure.clause && <ClauseLink clause={failure.clause} />}
      </p>
      <p className={styles.prose}>{visibleLines(failure.hint)}</p>
    </Section>
  );
}

const REGISTRATIONS: Record<GrantView['registration'], string> = {
  pre_registered: 'entered by you',
  metadata_document: 'by its metadata document',
  dynamic: 'registered by Sightglass',
};

function Grant({ grant }: { grant: GrantView }) {
  const now = useMinute();
  return (
    <Section title="Signed in">
      <Facts
        facts={[
          [
            'Account',
            grant.account ? (
              visibleText(grant.account)
            ) : (
              <Unknown key="who">the server does not say</Unknown>
            ),
          ],
          [
            'Valid',
            untilText(grant.expires_at, now) ?? (
              <Unknown key="until">the server named no end</Unknown>
            ),
          ],
          [
            'Renewed',
            grant.refreshable
              ? 'by itself, shortly before it expires'
              : 'by signing in again: there is no refresh token',
          ],
          [
            'Scopes',
            grant.scopes_granted.length > 0 ? (
              <span key="scopes" className={styles.scopes}>
                {grant.scopes_granted.map((scope) => (
                  <code key={scope}>{visibleText(scope)}</code>
                ))}
              </span>
            ) : (
              <Unknown key="scopes">no scopes are named</Unknown>
            ),
          ],
          ['Issuer', <code key="issuer">{visibleText(grant.issuer)}</code>],
          ['Resource', <code key="resource">{visibleText(grant.resource)}</code>],
          [
            'Client',
            <span key="client">
              <code>{visibleText(grant.client_id)}</code>{' '}
              <span className={styles.remark}>{REGISTRATIONS[grant.registration]}</span>
            </span>,
          ],
          ['Since', grant.signed_in_at === null ? null : momentText(grant.signed_in_at, now)],
        ]}
      />
      {!grant.revocable && (
        <p className={styles.remark}>
          {hostOf(grant.issuer)} offers no revocation: signing out forgets the token here, and there
          it stays good until it expires.
        </p>
      )}
    </Section>
  );
}

function Unknown({ children }: { children: string }) {
  return <span className={styles.remark}>{children}</span>;
}
