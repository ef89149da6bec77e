import { useState } from 'react';
import { useBackend } from '@/backend/backend';
import type { AuthView, IssuerQuestion, ServerView } from '@/backend/bindings';
import { Button } from '@/components/Button';
import { Facts, Section } from '@/components/Section';
import { visibleText } from '@/lib/visible-text';
import { runAction } from '@/state/actions';
import { isSignInUnderWay } from '@/state/auth';
import { showError } from '@/state/notices';
import styles from './auth.module.css';

interface Props {
  server: ServerView;
  view: AuthView;
  question: IssuerQuestion;
}

/** Asks whether what was entered may go to the authorization server that this server names. */
export function Agreement({ server, view, question }: Props) {
  const backend = useBackend();
  const [isBusy, setBusy] = useState(false);
  const { issuer, instead_of: old } = question;
  const isWaiting = isSignInUnderWay(view.attempt);
  const agree = () => {
    setBusy(true);
    backend
      .agreeToIssuer(server.id, issuer)
      .then(() => {
        // One that waits goes on by itself.
        if (!isWaiting) runAction('auth.sign-in');
      }, showError)
      .finally(() => setBusy(false));
  };
  return (
    <Section
      title={old === null ? 'Is this your authorization server?' : 'Another authorization server'}
    >
      <p className={styles.prose}>
        <span className={styles.warn} aria-hidden="true">
          ▲
        </span>{' '}
        {old === null
          ? 'The client secret, key or statement that you entered would be sent there. Agree only if your client is registered there. Nothing has been sent yet.'
          : 'This server now names another authorization server than the one you agreed to. Agree only if you know that it has moved. Nothing has been sent there.'}
      </p>
      <Facts
        facts={[
          ['Server', <code key="server">{visibleText(view.origin)}</code>],
          [old === null ? 'Names' : 'Names now', <code key="new">{visibleText(issuer)}</code>],
          ['Agreed to', old && <code key="old">{visibleText(old)}</code>],
        ]}
      />
      <div className={styles.actions}>
        <Button isDisabled={isBusy} onPress={agree}>
          {isWaiting ? 'Agree and go on' : 'Agree and sign in'}
        </Button>
      </div>
    </Section>
  );
}
