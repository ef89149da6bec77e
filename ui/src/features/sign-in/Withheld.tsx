import { useBackend } from '@/backend/backend';
import type { AuthView, ServerView, WithheldView } from '@/backend/bindings';
import { Button } from '@/components/Button';
import { entirelyVisible } from '@/lib/visible-text';
import { showNote } from '@/state/notices';
import { useAuth } from '@/state/sign-in/auth';
import { Agree } from './Agreement';
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
  const hasSecrets = withheld.secrets.length > 0;
  const bind = async () => {
    await backend.rebindAuth(server.id, withheld.enteredFor, view.origin);
    showNote(WITHHELD.done);
  };
  const origin = entirelyVisible(view.origin);
  return (
    <Agree
      title={hasSecrets ? WITHHELD.notSent : WITHHELD.notUsed}
      caution={entirelyVisible(withheld.message)}
      verb={hasSecrets ? WITHHELD.send(origin) : WITHHELD.use(origin)}
      agree={bind}
    >
      <Button onPress={() => selectPage(server.id, 'client')}>{WITHHELD.enterAnother}</Button>
    </Agree>
  );
}
