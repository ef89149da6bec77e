import { useState } from 'react';
import { useBackend } from '@/backend/backend';
import type { ServerSettings, ServerView } from '@/backend/bindings';
import { Section } from '@/components/Section';
import { Switch } from '@/components/Switch';
import { useAsyncEffect } from '@/components/use-async-effect';
import { visibleText } from '@/lib/visible-text';
import { showError } from '@/state/notices';
import { useAnswer } from '@/widgets/use-answer';
import type { ClientScope } from '../scope';
import { RULES } from '../texts';

interface HeldCallsProps {
  server: ServerView;
  client: ClientScope['client'];
}

/** Holds the calls that are sent from here to the rules of the client, or to none. */
export function HeldCalls({ server: { id, name }, client }: HeldCallsProps) {
  const backend = useBackend();
  const [settings, setSettings] = useState<ServerSettings | null>(null);
  useAsyncEffect(
    () => ({
      start: () => backend.getServerSettings(id),
      onValue: setSettings,
      onError: showError,
    }),
    [backend, id],
  );
  const { value: clients } = useAnswer(() => backend.listModelClients(), [backend]);
  if (!settings) return null;
  const hold = async (isHeld: boolean) => {
    try {
      // Read afresh: the settings have a dialog of their own.
      const now = await backend.getServerSettings(id);
      const next = { ...now, heldTo: isHeld ? client.client : null };
      await backend.updateServerSettings(id, next);
      setSettings(next);
    } catch (reason) {
      showError(reason);
    }
  };
  const other = settings.heldTo !== client.client ? settings.heldTo : null;
  return (
    <Section title={RULES.callsFromHere}>
      <Switch
        isSelected={settings.heldTo === client.client}
        onChange={(isHeld) => void hold(isHeld)}
      >
        {RULES.hold(visibleText(name))}
      </Switch>
      <p className="remark">
        {other === null
          ? RULES.holdMeaning
          : RULES.heldToOther(clients?.find(({ client }) => client === other)?.title ?? other)}
      </p>
    </Section>
  );
}
