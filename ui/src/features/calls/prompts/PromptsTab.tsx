import { useCallback, useMemo, useState } from 'react';
import { useBackend } from '@/backend/backend';
import type { ServerView } from '@/backend/bindings';
import { EmptyState } from '@/components/EmptyState';
import { CALL_PANES, ListDetail } from '@/components/list-detail/ListDetail';
import { useRunOnceThere } from '@/state/calls/asked-run';
import { runIdOf, useRun } from '@/state/calls/runs';
import { startRun } from '@/state/calls/start-run';
import { useSelectedItem } from '@/state/navigation';
import { callParams } from '@/state/tests/save-request';
import { ConnectedList } from '@/widgets/item-list/ConnectedList';
import { ItemList } from '@/widgets/item-list/ItemList';
import { NoItem } from '@/widgets/item-list/NoItem';
import { useItem } from '@/widgets/item-list/use-item';
import { ResultPane } from '@/widgets/result/ResultPane';
import { PromptDetail } from './PromptDetail';
import { PROMPTS } from './texts';

const NO_MESSAGES = <EmptyState title={PROMPTS.noMessages}>{PROMPTS.noMessagesHint}</EmptyState>;

/** The prompts of a server: the list, the arguments of one, and its messages. */
export default function PromptsTab({ server }: { server: ServerView }) {
  const selected = useSelectedItem(server.id, 'prompts');
  const found = useItem(server.id, 'prompts', selected);
  const runId = selected === null ? null : runIdOf('prompt', server.id, selected);
  const run = useRun(runId);
  useRunOnceThere(runId, found.state);
  const backend = useBackend();
  const input = run?.input;
  const { again, call } = useMemo(() => {
    if (selected === null || input === undefined) return {};
    const values: Record<string, string> = JSON.parse(input);
    const params = callParams(selected, JSON.stringify(values, null, 2));
    return {
      again: () => startRun(backend, server.id, { kind: 'prompt', name: selected, values }),
      call: { server: server.id, name: selected, method: 'prompts/get', params },
    };
  }, [backend, server.id, selected, input]);
  /** The prompt that the user chose in the list. */
  const [chosen, setChosen] = useState<string>();
  const choose = useCallback((name: string) => setChosen(`${server.id}\n${name}`), [server.id]);
  return (
    <ConnectedList server={server} lists={['prompts']} noun={PROMPTS.noun}>
      <ListDetail name="prompts" panes={CALL_PANES}>
        <ItemList server={server.id} list="prompts" label={PROMPTS.label} onChoose={choose} />
        {found.state === 'there' ? (
          <PromptDetail
            key={`${server.id}\n${found.name}`}
            server={server.id}
            item={found.item}
            run={run}
            isChosen={chosen === `${server.id}\n${found.name}`}
          />
        ) : (
          <NoItem found={found} texts={PROMPTS} />
        )}
        <ResultPane
          run={run}
          server={server.id}
          name={selected ?? PROMPTS.fileName}
          again={again}
          call={call ?? null}
        >
          {NO_MESSAGES}
        </ResultPane>
      </ListDetail>
    </ConnectedList>
  );
}
