import { useState } from 'react';
import { useBackend } from '@/backend/backend';
import type { AuthView, IssuerQuestion, ServerView } from '@/backend/bindings';
import { Button } from '@/components/Button';
import { Guarded } from '@/components/Guarded';
import { Facts, Section } from '@/components/Section';
import { runAction } from '@/state/actions';
import { showError } from '@/state/notices';
import { isSignInUnderWay } from '@/state/sign-in/auth';
import { AgreedAddress } from './AgreedAddress';
import styles from './auth.module.css';
import { AGREEMENT } from './texts';

interface Props {
  server: ServerView;
  view: AuthView;
  question: IssuerQuestion;
}

/** Asks whether what was entered may go to the authorization server that this server names. */
export function Agreement({ server, view, question }: Props) {
  const backend = useBackend();
  const [isBusy, setBusy] = useState(false);
  const { issuer, insteadOf: old } = question;
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
    <Section title={old === null ? AGREEMENT.first : AGREEMENT.other}>
      <p className={styles.prose}>
        <span className="text-small warn" aria-hidden="true">
          ▲
        </span>{' '}
        {old === null ? AGREEMENT.firstMeaning : AGREEMENT.otherMeaning}
      </p>
      <Facts
        facts={[
          [AGREEMENT.server, <AgreedAddress key="server" address={view.origin} />],
          [
            old === null ? AGREEMENT.names : AGREEMENT.namesNow,
            <AgreedAddress key="new" address={issuer} />,
          ],
          [AGREEMENT.agreedTo, old && <AgreedAddress key="old" address={old} />],
        ]}
      />
      <div className="flex wrap gap-3 flex-none">
        <Guarded>
          <Button isDisabled={isBusy} onPress={agree}>
            {isWaiting ? AGREEMENT.agreeAndContinue : AGREEMENT.agree}
          </Button>
        </Guarded>
      </div>
    </Section>
  );
}
