import { useMemo, useState } from 'react';
import { useBackend } from '@/backend/backend';
import type { ServerId, ServerView, Target } from '@/backend/bindings';
import { EmptyState } from '@/components/EmptyState';
import { Select } from '@/components/Select';
import { visibleText } from '@/lib/visible-text';
import { clientOf, useConfiguration } from '@/state/configuration';
import { useModel } from '@/state/model';
import { Connected } from '../Connected';
import { usualModel } from '../cost/cost-rows';
import styles from '../model.module.css';
import type { ModelScope } from '../scope';
import { CHOICE, MODEL } from '../texts';
import { useAnswer } from '../use-answer';
import { ChoiceTable } from './ChoiceTable';
import { placeIn, type ToolLists } from './selection';

/** The tools that the client puts before its model, each switched by its entry. */
export function ChoiceSection({ scope }: { scope: ModelScope }) {
  const { client } = scope;
  const expresses = useConfiguration(({ view }) => clientOf(view, client.client)?.expresses);
  if (!expresses?.enabled_tools && !expresses?.disabled_tools) {
    return (
      <EmptyState title={CHOICE.none(client.title)}>
        {client.hasRules ? CHOICE.noneButRules : CHOICE.noneHint}
      </EmptyState>
    );
  }
  return (
    <Connected scope={scope}>
      <Servers scope={scope} lists={expresses} />
    </Connected>
  );
}

function Servers({ scope, lists }: { scope: ModelScope; lists: ToolLists }) {
  const { client, servers, connected } = scope;
  const [chosen, setChosen] = useState<ServerId | null>(null);
  const live = servers.filter(({ id }) => connected.includes(id));
  const server = live.find(({ id }) => id === chosen) ?? live[0];
  if (!server) return null;
  const place = placeIn(client.client, server);
  return (
    <div className={styles.pane}>
      {live.length > 1 && (
        <div className={styles.bar}>
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
      {place ? (
        <OfServer key={server.id} scope={scope} server={server} place={place} lists={lists} />
      ) : (
        <EmptyState title={CHOICE.elsewhere(visibleText(server.name), client.title)}>
          {CHOICE.elsewhereHint(client.title)}
        </EmptyState>
      )}
    </div>
  );
}

interface OfServerProps {
  scope: ModelScope;
  server: ServerView;
  place: Target;
  lists: ToolLists;
}

function OfServer({ scope, server, place, lists }: OfServerProps) {
  const backend = useBackend();
  const { client, revision } = scope;
  const { client: of, scope: where } = place;
  const fileRevision = useConfiguration(({ view }) => view.revision);
  const contextWindow = useModel((state) => state.contextWindow);
  const model = useModel((state) => state.models[client.client] ?? usualModel(client.scheme));
  const entry = useAnswer(
    () => backend.definitionDraft({ client: of, scope: where }, server.name),
    [backend, of, where, server.name, fileRevision],
  );
  const listed = useAnswer(async () => {
    const [names, cost] = await Promise.all([
      backend.modelNames(client.scheme, [server.id]),
      backend.tokenCost({
        servers: [server.id],
        scheme: client.scheme,
        model,
        window: contextWindow,
        toolSearch: null,
      }),
    ]);
    const tools = names.names.filter(({ kind }) => kind === 'tool').map(({ item }) => item);
    return { tools, cost };
  }, [backend, client.scheme, server.id, model, contextWindow, revision]);
  const target = useMemo(() => ({ client: of, scope: where }), [of, where]);
  const problem = entry.problem ?? listed.problem;
  if (problem !== null) return <EmptyState title={visibleText(problem)} />;
  if (!entry.value || !listed.value) return <EmptyState title={MODEL.asking} />;
  return (
    <ChoiceTable
      target={target}
      name={server.name}
      draft={entry.value}
      lists={lists}
      tools={listed.value.tools}
      cost={listed.value.cost}
    />
  );
}
