import { useCallback } from 'react';
import type { ServerId, ServerView } from '@/backend/bindings';
import { EmptyState } from '@/components/EmptyState';
import { ListDetail } from '@/components/list-detail/ListDetail';
import { useNavigation, useSelectedItem } from '@/state/navigation';
import { runIdOf, useShownRun } from '@/state/runs';
import { ConnectedList } from '@/widgets/item-list/ConnectedList';
import { ItemList } from '@/widgets/item-list/ItemList';
import { useItem } from '@/widgets/item-list/use-item';
import { ResultPane } from '@/widgets/result/ResultPane';
import { ComparedResults } from './ComparedResults';
import { useComparison } from './comparisons';
import { RunDifference } from './RunDifference';
import { EarlierRun, RunsMenu } from './RunsMenu';
import { useRunPair } from './run-comparison';
import { ToolDetail } from './ToolDetail';
import { useRunCopies } from './use-run-copies';

const PANES = [
  { id: 'list', size: 290, min: 160, keepsPixels: true },
  { id: 'arguments', size: 380, min: 260, keepsPixels: true },
  { id: 'result', min: 260 },
] as const;

const NO_RESULT = (
  <EmptyState title="No result yet">
    Fill in the arguments, then run the tool. The result stays while you look at other tools.
  </EmptyState>
);

/** The tools of a server: the list, the arguments of one, and what calling it brought. */
export default function ToolsTab({ server }: { server: ServerView }) {
  const selected = useSelectedItem(server.id, 'tools');
  const selectItem = useNavigation((state) => state.selectItem);
  const found = useItem(server.id, 'tools', selected);
  const runId = selected === null ? null : runIdOf('tool', server.id, selected);
  const select = useCallback(
    (name: string) => selectItem(server.id, 'tools', name),
    [selectItem, server.id],
  );
  return (
    <ConnectedList server={server} lists={['tools']} noun="tools">
      <ListDetail name="tools" panes={PANES}>
        <ItemList
          server={server.id}
          list="tools"
          label="Tools"
          selected={selected}
          onSelect={select}
        />
        {found.state === 'there' && runId !== null ? (
          <ToolDetail
            key={`${server.id}\n${found.name}`}
            server={server.id}
            item={found.item}
            runId={runId}
          />
        ) : found.state === 'gone' ? (
          <EmptyState title={`${found.name} is gone`}>
            The server no longer lists this tool. Its last result stays on the right.
          </EmptyState>
        ) : found.state === 'failed' ? (
          <EmptyState title="This tool could not be shown">{found.message}</EmptyState>
        ) : found.state === 'none' ? (
          <EmptyState title="Choose a tool">Its arguments appear here.</EmptyState>
        ) : null}
        <ToolResult server={server.id} name={selected} runId={runId} />
      </ListDetail>
    </ConnectedList>
  );
}

interface ToolResultProps {
  server: ServerId;
  name: string | null;
  runId: string | null;
}

/** The outcome of a call; all that is drawn again when the tool is called. */
function ToolResult({ server, name, runId }: ToolResultProps) {
  const run = useShownRun(runId);
  const comparison = useComparison(runId);
  const pair = useRunPair(runId);
  const copies = useRunCopies(server, name ?? '', run);
  if (comparison) {
    return <ComparedResults server={server} name={name ?? 'result'} {...comparison} />;
  }
  if (pair && runId !== null) return <RunDifference runId={runId} {...pair} />;
  return (
    <ResultPane
      run={run}
      server={server}
      name={name ?? 'result'}
      copies={copies}
      runs={
        name !== null && runId !== null && <RunsMenu server={server} tool={name} runId={runId} />
      }
      note={runId !== null && <EarlierRun runId={runId} />}
    >
      {NO_RESULT}
    </ResultPane>
  );
}
