import { useBackend } from '@/backend/backend';
import type { ServerView, Target, ToolChoice } from '@/backend/bindings';
import { EmptyState } from '@/components/EmptyState';
import { visibleText } from '@/lib/visible-text';
import { useDialogs } from '@/state/dialogs';
import { fileOf, useConfiguration } from '@/state/setup/configuration';
import { useAnswer } from '@/widgets/use-answer';
import type { ClientScope } from '../scope';
import { CHOICE, MODEL, RULES } from '../texts';
import { useCost } from '../use-cost';
import { ChoiceTable, type ChosenTool } from './ChoiceTable';
import { isOn, type ToolLists, withSwitched } from './selection';

interface ChoiceByListsProps {
  scope: ClientScope;
  server: ServerView;
  place: Target;
  lists: ToolLists;
}

const ALL = { enabled: null, disabled: [] };

/** The tools of one server, switched by the lists in its entry. */
export function ChoiceByLists({ scope, server, place, lists }: ChoiceByListsProps) {
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
    useDialogs.getState().show({ kind: 'config-change', action });
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
export function ChoiceByRules({ scope, server, place }: ChoiceByRulesProps) {
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
    useDialogs.getState().show({ kind: 'config-change', action });
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
