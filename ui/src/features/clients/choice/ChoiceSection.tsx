import { useState } from 'react';
import type { ServerId } from '@/backend/bindings';
import { EmptyState } from '@/components/EmptyState';
import { Select } from '@/components/Select';
import { visibleText } from '@/lib/visible-text';
import { clientOf, useConfiguration } from '@/state/setup/configuration';
import { Connected } from '../Connected';
import styles from '../clients.module.css';
import type { ClientScope } from '../scope';
import { CHOICE, MODEL } from '../texts';
import { ChoiceByLists, ChoiceByRules } from './Choices';
import { placeIn, type ToolLists } from './selection';

/** The tools that the client puts before its model, each switched by its entry or by a rule. */
export function ChoiceSection({ scope }: { scope: ClientScope }) {
  const { client } = scope;
  const expresses = useConfiguration(({ view }) => clientOf(view, client.client)?.expresses);
  const lists = expresses?.enabledTools || expresses?.disabledTools ? expresses : null;
  if (!lists && !client.hidesDenied) {
    return (
      <EmptyState title={CHOICE.none(client.title)}>
        {client.hasRules ? CHOICE.noneButRules : CHOICE.noneHint}
      </EmptyState>
    );
  }
  return (
    <Connected scope={scope}>
      <Servers scope={scope} lists={lists} />
    </Connected>
  );
}

/** `lists` are those of the client's entries; null where rules take tools from the model. */
function Servers({ scope, lists }: { scope: ClientScope; lists: ToolLists | null }) {
  const { client, servers, connected } = scope;
  const [chosen, setChosen] = useState<ServerId | null>(null);
  const live = servers.filter(({ id }) => connected.includes(id));
  const server = live.find(({ id }) => id === chosen) ?? live[0];
  if (!server) return null;
  const place = placeIn(client.client, server);
  return (
    <div className="pane">
      {live.length > 1 && (
        <div className="bar gap-4 min-w-0 h-bar pad-x-5 pad-y-0">
          <Select
            label={MODEL.server}
            hideLabel
            className={styles.client}
            choices={live.map(({ id, name }) => ({ value: id, label: visibleText(name) }))}
            value={server.id}
            onChange={setChosen}
          />
        </div>
      )}
      {place && lists ? (
        <ChoiceByLists key={server.id} scope={scope} server={server} place={place} lists={lists} />
      ) : place ? (
        <ChoiceByRules key={server.id} scope={scope} server={server} place={place} />
      ) : (
        <EmptyState title={CHOICE.elsewhere(visibleText(server.name), client.title)}>
          {CHOICE.elsewhereHint(client.title)}
        </EmptyState>
      )}
    </div>
  );
}
