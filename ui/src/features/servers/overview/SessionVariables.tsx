import { useBackend } from '@/backend/backend';
import type { ServerView } from '@/backend/bindings';
import { Button } from '@/components/Button';
import { Facts, Section } from '@/components/Section';
import { showError } from '@/state/notices';
import { SESSION_VARIABLES } from './texts';

/** The variables that the user set for this server until the application ends. */
export function SessionVariables({ server }: { server: ServerView }) {
  const backend = useBackend();
  if (server.sessionVariables.length === 0) return null;
  return (
    <Section title={SESSION_VARIABLES.title}>
      <Facts
        facts={server.sessionVariables.map((name) => [
          name,
          <span key={name}>
            ••• <span className="regular remark">{SESSION_VARIABLES.until}</span>{' '}
            <Button
              aria-label={SESSION_VARIABLES.removeLabel(name)}
              onPress={() =>
                void backend.updateSessionVariable(server.id, name, null).catch(showError)
              }
            >
              {SESSION_VARIABLES.remove}
            </Button>
          </span>,
        ])}
      />
    </Section>
  );
}
