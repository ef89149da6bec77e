import { useState } from 'react';
import { useBackend } from '@/backend/backend';
import type { ServerId, ServerView, Target, ToolChoice } from '@/backend/bindings';
import { EmptyState } from '@/components/EmptyState';
import { Select } from '@/components/Select';
import { visibleText } from '@/lib/visible-text';
import { showDialog } from '@/state/dialogs';
import { clientOf, fileOf, useConfiguration } from '@/state/setup/configuration';
import { useAnswer } from '@/widgets/use-answer';
import { Connected } from '../Connected';
import styles from '../clients.module.css';
import type { ClientScope } from '../scope';
import { CHOICE, MODEL, RULES } from '../texts';
import { useCost } from '../use-cost';
import { ChoiceTable, type ChosenTool } from './ChoiceTable';
import { isOn, placeIn, type ToolLists, withSwitched } from './selection';

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

interface ChoiceByListsProps {
  scope: ClientScope;
  server: ServerView;
  place: Target;
  lists: ToolLists;
}

const ALL = { enabled: null, disabled: [] };

/** The tools of one server, switched by the lists in its entry. */
function ChoiceByLists({ scope, server, place, lists }: ChoiceByListsProps) {
  const backend = useBackend();
  const { client, revision } = scope;
  const { client: of, scope: where } = place;
  const fileRevision = useConfiguration(({ view }) => view.revision);
  const isWritable = useConfiguration(({ view }) => fileOf(view, place)?.writable === true);
  const entry = useAnswer(
    () => backend.getDefinitionDraft({ client: of, scope: where }, server.name),
    [backend, of, where, server.name, fileRevision],
  );
  const listed = useAnswer(async () => {
    const { names } = await backend.listModelNames(client.scheme, [server.id]);
    return names.filter(({ kind }) => kind === 'tool').map(({ item }) => item);
  }, [backend, client.scheme, server.id, revision]);
  const cost = useCost(scope, [server.id], { toolSearch: null, withUnsent: true });
  const problem = entry.problem ?? listed.problem ?? cost.problem;
  if (problem !== null) return <EmptyState title={visibleText(problem)} />;
  const { value: draft } = entry;
  const { value: tools } = listed;
  if (!draft || !tools || !cost.value) return <EmptyState title={MODEL.asking} />;
  const now = draft.tools ?? ALL;
  const review = async (switched: ReadonlyMap<string, boolean>) => {
    const file = await backend.getConfigurationText(place);
    const next = { ...draft, tools: withSwitched(lists, now, tools, switched) };
    const { name } = server;
    const edited = await backend.editConfigurationText(place, file.text, name, next, name);
    const { text, unwritten } = edited;
    if (text === null) throw new Error(unwritten ?? undefined);
    const action = { type: 'text', target: place, text } as const;
    showDialog({ kind: 'config-change', action });
  };
  return (
    <ChoiceTable
      tools={tools.map((tool) => ({ tool, isOn: isOn(now, tool), decidedBy: null }))}
      cost={cost.value}
      isWritable={isWritable}
      explain={CHOICE.explain}
      onReview={review}
    />
  );
}

interface ChoiceByRulesProps {
  scope: ClientScope;
  server: ServerView;
  place: Target;
}

/** The tools of one server, taken from the model by rules that deny them. */
function ChoiceByRules({ scope, server, place }: ChoiceByRulesProps) {
  const backend = useBackend();
  const { client, scope: where } = place;
  const fileRevision = useConfiguration(({ view }) => view.revision);
  const choice = useAnswer(
    () => backend.getToolChoice({ client, scope: where }, server.id),
    [backend, client, where, server.id, scope.revision, fileRevision],
  );
  const cost = useCost(scope, [server.id], { toolSearch: null, withUnsent: true });
  const problem = choice.problem ?? cost.problem;
  if (problem !== null) return <EmptyState title={visibleText(problem)} />;
  if (!choice.value || !cost.value) return <EmptyState title={MODEL.asking} />;
  const { file, tools } = choice.value;
  const review = async (switched: ReadonlyMap<string, boolean>) => {
    const names = (on: boolean) =>
      tools.filter(({ tool }) => switched.get(tool) === on).map(({ name }) => name);
    const action = {
      type: 'switchTools',
      target: place,
      off: names(false),
      on: names(true),
    } as const;
    showDialog({ kind: 'config-change', action });
  };
  return (
    <ChoiceTable
      tools={tools.map(chosen)}
      cost={cost.value}
      isWritable
      explain={CHOICE.explainRules(visibleText(file))}
      onReview={review}
    />
  );
}

function chosen({ tool, isOn, rule, canSwitch }: ToolChoice): ChosenTool {
  const place = rule && RULES.line(rule.place.file, rule.place.line);
  return { tool, isOn, decidedBy: rule && !canSwitch ? `${rule.text} · ${place}` : null };
}
