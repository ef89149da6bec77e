import { useCallback } from 'react';
import type { ServerView } from '@/backend/bindings';
import { EmptyState } from '@/components/EmptyState';
import { ListDetail } from '@/components/list-detail/ListDetail';
import { useNavigation, useSelectedItem } from '@/state/navigation';
import { runIdOf, useRun } from '@/state/runs';
import { ConnectedList } from '@/widgets/item-list/ConnectedList';
import { ItemList } from '@/widgets/item-list/ItemList';
import { useItem } from '@/widgets/item-list/use-item';
import { ResultPane } from '@/widgets/result/ResultPane';
import { PromptDetail } from './PromptDetail';

const PANES = [
  { id: 'list', size: 290, min: 160, keepsPixels: true },
  { id: 'arguments', size: 380, min: 260, keepsPixels: true },
  { id: 'result', min: 260 },
] as const;

const NO_MESSAGES = (
  <EmptyState title="No messages yet">
    Fill in the arguments, then get the prompt: its messages appear here, each with its role.
  </EmptyState>
);

/** The prompts of a server: the list, the arguments of one, and its messages. */
export default function PromptsTab({ server }: { server: ServerView }) {
  const selected = useSelectedItem(server.id, 'prompts');
  const selectItem = useNavigation((state) => state.selectItem);
  const found = useItem(server.id, 'prompts', selected);
  const runId = selected === null ? null : runIdOf('prompt', server.id, selected);
  const run = useRun(runId);
  const select = useCallback(
    (name: string) => selectItem(server.id, 'prompts', name),
    [selectItem, server.id],
  );
  return (
    <ConnectedList server={server} lists={['prompts']} noun="prompts">
      <ListDetail name="prompts" panes={PANES}>
        <ItemList
          server={server.id}
          list="prompts"
          label="Prompts"
          selected={selected}
          onSelect={select}
        />
        {found.state === 'there' ? (
          <PromptDetail
            key={`${server.id}\n${found.name}`}
            server={server.id}
            item={found.item}
            run={run}
          />
        ) : found.state === 'gone' ? (
          <EmptyState title={`${found.name} is gone`}>
            The server no longer lists this prompt.
          </EmptyState>
        ) : found.state === 'failed' ? (
          <EmptyState title="This prompt could not be shown">{found.message}</EmptyState>
        ) : found.state === 'none' ? (
          <EmptyState title="Choose a prompt">Its arguments appear here.</EmptyState>
        ) : null}
        <ResultPane run={run} server={server.id} name={selected ?? 'prompt'}>
          {NO_MESSAGES}
        </ResultPane>
      </ListDetail>
    </ConnectedList>
  );
}
