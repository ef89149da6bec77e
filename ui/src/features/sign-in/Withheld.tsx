import { useState } from 'react';
import { useBackend } from '@/backend/backend';
import type { AuthView, ServerView, WithheldView } from '@/backend/bindings';
import { Button } from '@/components/Button';
import { Guarded } from '@/components/Guarded';
import { Section } from '@/components/Section';
import { entirelyVisible } from '@/lib/visible-text';
import { showError, showNote } from '@/state/notices';
import { useAuth } from '@/state/sign-in/auth';
import styles from './auth.module.css';
import { WITHHELD } from './texts';

interface Props {
  server: ServerView;
  view: AuthView;
}

/**
 * Secrets that were entered for another server of this name. They are sent here after a click
 * alone.
 */
export function Withheld({ server, view }: Props) {
  // Built anew for each question, so that no key is an answer to another one.
  return view.withheld.map((withheld) => (
    <Question
      key={JSON.stringify([server.id, withheld.enteredFor, view.origin])}
      server={server}
      view={view}
      withheld={withheld}
    />
  ));
}

function Question({ server, view, withheld }: Props & { withheld: WithheldView }) {
  const backend = useBackend();
  const selectPage = useAuth((state) => state.selectPage);
  const [isBusy, setBusy] = useState(false);
  const hasSecrets = withheld.secrets.length > 0;
  const bind = () => {
    setBusy(true);
    backend
      .rebindAuth(server.id, withheld.enteredFor, view.origin)
      .then(() => showNote(WITHHELD.done), showError)
      .finally(() => setBusy(false));
  };
  return (
    <Section title={hasSecrets ? WITHHELD.notSent : WITHHELD.notUsed}>
      <p className={styles.prose}>
        <span className="text-small warn" aria-hidden="true">
          ▲
        </span>{' '}
        {entirelyVisible(withheld.message)}
      </p>
      <div className="flex wrap gap-3 flex-none">
        <Guarded>
          <Button isDisabled={isBusy} onPress={bind}>
            {hasSecrets
              ? WITHHELD.send(entirelyVisible(view.origin))
              : WITHHELD.use(entirelyVisible(view.origin))}
          </Button>
        </Guarded>
        <Button onPress={() => selectPage(server.id, 'client')}>{WITHHELD.enterAnother}</Button>
      </div>
    </Section>
  );
}
