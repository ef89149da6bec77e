import { useState } from 'react';
import { useBackend } from '@/backend/backend';
import type { AuthView, EndpointQuestion, ServerView } from '@/backend/bindings';
import { Button } from '@/components/Button';
import { Facts, Section } from '@/components/Section';
import { visibleText } from '@/lib/visible-text';
import { showError } from '@/state/notices';
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
        <span className={styles.warn} aria-hidden="true">
          ▲
        </span>{' '}
        {TWO_HOSTS.meaning}
      </p>
      <Facts
        facts={[
          [AGREEMENT.server, <code key="server">{visibleText(view.origin)}</code>],
          [GRANT.issuer, <code key="issuer">{visibleText(question.issuer)}</code>],
          [TWO_HOSTS.signIn, <code key="page">{visibleText(question.authorization)}</code>],
          [TWO_HOSTS.sendsTo, <code key="token">{visibleText(question.token)}</code>],
        ]}
      />
      <div className={styles.actions}>
        <Button isDisabled={isBusy} onPress={agree}>
          {AGREEMENT.agreeAndContinue}
        </Button>
      </div>
    </Section>
  );
}
