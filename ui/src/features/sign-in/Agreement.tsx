import type { ReactNode } from 'react';
import { useBackend } from '@/backend/backend';
import type { AuthView, EndpointQuestion, IssuerQuestion, ServerView } from '@/backend/bindings';
import { Button } from '@/components/Button';
import { Caution } from '@/components/Caution';
import { Confirmed } from '@/components/Confirmed';
import { Guarded } from '@/components/Guarded';
import { Facts, Section } from '@/components/Section';
import { otherOrigin } from '@/lib/url';
import { runAction } from '@/state/actions';
import { useBusy } from '@/state/servers/attempt';
import { isSignInUnderWay } from '@/state/sign-in/auth';
import styles from './auth.module.css';
import { AGREEMENT, GRANT, TWO_HOSTS } from './texts';

interface Props<Question> {
  server: ServerView;
  view: AuthView;
  question: Question;
}

/** Asks whether what was entered may go to the authorization server that this server names. */
export function Agreement({ server, view, question }: Props<IssuerQuestion>) {
  const backend = useBackend();
  const { issuer, insteadOf: old } = question;
  const isWaiting = isSignInUnderWay(view.attempt);
  const agree = async () => {
    await backend.agreeToIssuer(server.id, issuer);
    // One that waits goes on by itself.
    if (!isWaiting) runAction('auth.sign-in');
  };
  return (
    <Agree
      title={old === null ? AGREEMENT.first : AGREEMENT.other}
      caution={old === null ? AGREEMENT.firstMeaning : AGREEMENT.otherMeaning}
      addresses={[
        [AGREEMENT.server, view.origin],
        [old === null ? AGREEMENT.names : AGREEMENT.namesNow, issuer],
        [AGREEMENT.agreedTo, old],
      ]}
      verb={isWaiting ? AGREEMENT.agreeAndContinue : AGREEMENT.agree}
      agree={agree}
    />
  );
}

/** Asks whether the code of the page at which the user signs in may go to another origin. */
export function EndpointAgreement({ server, view, question }: Props<EndpointQuestion>) {
  const backend = useBackend();
  return (
    <Agree
      title={TWO_HOSTS.title}
      caution={TWO_HOSTS.meaning}
      addresses={[
        [AGREEMENT.server, view.origin],
        [GRANT.issuer, question.issuer],
        [TWO_HOSTS.signIn, question.authorization],
        [TWO_HOSTS.sendsTo, question.token],
      ]}
      verb={AGREEMENT.agreeAndContinue}
      agree={() => backend.agreeToEndpoints(server.id, question)}
    />
  );
}

interface AgreeProps {
  title: string;
  caution: string;
  /** The addresses that it is about, by what they are. */
  addresses?: readonly (readonly [name: string, address: string | null])[];
  verb: string;
  agree: () => Promise<unknown>;
  /** Stands beside the button. */
  children?: ReactNode;
}

/** A question about what may be sent where. Only a press that was meant agrees to it. */
export function Agree({ title, caution, addresses = [], verb, agree, children }: AgreeProps) {
  const { isBusy, run } = useBusy();
  return (
    <Section title={title}>
      <Caution className={styles.prose}>{caution}</Caution>
      {addresses.length > 0 && (
        <Facts
          facts={addresses.map(([name, address]) => [
            name,
            address && <AgreedAddress key={name} address={address} />,
          ])}
        />
      )}
      <div className="flex wrap gap-3 flex-none">
        <Guarded>
          <Button isDisabled={isBusy} onPress={() => void run(agree)}>
            {verb}
          </Button>
        </Guarded>
        {children}
      </div>
    </Section>
  );
}

/** An address that the user agrees to, and the origin that is asked where it reads otherwise. */
function AgreedAddress({ address }: { address: string }) {
  const origin = otherOrigin(address);
  return (
    <>
      <Confirmed text={address} />
      {origin !== undefined && (
        <Caution className={styles.prose}>
          {AGREEMENT.leadsTo}
          <Confirmed text={origin} />
        </Caution>
      )}
    </>
  );
}
