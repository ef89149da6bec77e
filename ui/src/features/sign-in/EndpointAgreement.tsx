import { useState } from 'react';
import { useBackend } from '@/backend/backend';
import type { AuthView, EndpointQuestion, ServerView } from '@/backend/bindings';
import { Button } from '@/components/Button';
import { Guarded } from '@/components/Guarded';
import { Facts, Section } from '@/components/Section';
import { showError } from '@/state/notices';
import { AgreedAddress } from './AgreedAddress';
import styles from './auth.module.css';
import { AGREEMENT, GRANT, TWO_HOSTS } from './texts';

interface Props {
  server: ServerView;
  view: AuthView;
  question: EndpointQuestion;
}

/** Asks whether the code of the page at which the user signs in may go to another origin. */
export function EndpointAgreement({ server, view, question }: Props) {
  const backend = useBackend();
  const [isBusy, setBusy] = useState(false);
  const agree = () => {
    setBusy(true);
    backend
      .agreeToEndpoints(server.id, question)
      .catch(showError)
      .finally(() => setBusy(false));
  };
  return (
    <Section title={TWO_HOSTS.title}>
      <p className={styles.prose}>
        <span className="text-small warn" aria-hidden="true">
          ▲
        </span>{' '}
        {TWO_HOSTS.meaning}
      </p>
      <Facts
        facts={[
          [AGREEMENT.server, <AgreedAddress key="server" address={view.origin} />],
          [GRANT.issuer, <AgreedAddress key="issuer" address={question.issuer} />],
          [TWO_HOSTS.signIn, <AgreedAddress key="page" address={question.authorization} />],
          [TWO_HOSTS.sendsTo, <AgreedAddress key="token" address={question.token} />],
        ]}
      />
      <div className="flex wrap gap-3 flex-none">
        <Guarded>
          <Button isDisabled={isBusy} onPress={agree}>
            {AGREEMENT.agreeAndContinue}
          </Button>
        </Guarded>
      </div>
    </Section>
  );
}
