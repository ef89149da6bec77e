import { memo, useCallback, useMemo } from 'react';
import { useBackend } from '@/backend/backend';
import type { ServerId, ServerView } from '@/backend/bindings';
import { EmptyState } from '@/components/EmptyState';
import { CALL_PANES, ListDetail } from '@/components/list-detail/ListDetail';
import { useRunOnceThere } from '@/state/calls/asked-run';
import { runIdOf, useShownRun } from '@/state/calls/runs';
import { startRun } from '@/state/calls/start-run';
import { useSelectedItem } from '@/state/navigation';
import { callParams } from '@/state/tests/save-request';
import { ConnectedList } from '@/widgets/item-list/ConnectedList';
import { ItemList } from '@/widgets/item-list/ItemList';
import { NoItem } from '@/widgets/item-list/NoItem';
import { useItem } from '@/widgets/item-list/use-item';
import { ResultPane } from '@/widgets/result/ResultPane';
import { EarlierRun, HistoryMenu } from './HistoryMenu';
import { CallHistory } from './history/CallHistory';
import { HISTORY } from './history/texts';
import { ComparedResults, DifferenceNote, RunDifference } from './RunDifference';
import { useView } from './result-views';
import { ToolDetail } from './ToolDetail';
import { TOOLS } from './texts';
import styles from './tools.module.css';
import { useRunCopies } from './use-run-copies';

const TOOL_LISTS = ['tools'] as const;
const NO_RESULT = <EmptyState title={TOOLS.noResult}>{TOOLS.noResultHint}</EmptyState>;

/** The tools of a server: the list, the arguments of one, and what calling it brought. */
export default function ToolsTab({ server }: { server: ServerView }) {
  const selected = useSelectedItem(server.id, 'tools');
  const found = useItem(server.id, 'tools', selected);
  const runId = selected === null ? null : runIdOf('tool', server.id, selected);
  useRunOnceThere(runId, found.state);
  const { id } = server;
  // The status of the server changes twice with every call, and nothing in the panes with it.
  const panes = useMemo(
    () => (
      <ListDetail name="tools" panes={CALL_PANES}>
        <ItemList server={id} list="tools" label={TOOLS.label} />
        {found.state === 'there' && runId !== null ? (
          <ToolDetail key={`${id}\n${found.name}`} server={id} item={found.item} runId={runId} />
        ) : (
          <NoItem found={found} texts={TOOLS} />
        )}
        <ToolResult
          server={id}
          name={selected}
          definition={found.state === 'there' ? found.item.json : null}
          runId={runId}
        />
      </ListDetail>
    ),
    [id, selected, found, runId],
  );
  return (
    <ConnectedList server={server} lists={TOOL_LISTS} noun={TOOLS.noun}>
      {panes}
    </ConnectedList>
  );
}

interface ToolResultProps {
  server: ServerId;
  name: string | null;
  /** The definition that is shown; null where none is. */
  definition: string | null;
  runId: string | null;
}

/** The outcome of a call; all that is drawn again when the tool is called. */
const ToolResult = memo(function ToolResult(props: ToolResultProps) {
  const { server, name, definition, runId } = props;
  const run = useShownRun(runId);
  const { identities, history, pair } = useView(runId);
  const copies = useRunCopies(server, name ?? '', run);
  const backend = useBackend();
  const input = run?.input;
  const again = useCallback(() => {
    if (name === null || input === undefined) return;
    startRun(backend, server, { kind: 'tool', name, input, definition });
  }, [backend, server, name, input, definition]);
  const isMasked = run?.isMasked === true;
  const call = useMemo(
    () =>
      name === null || input === undefined || isMasked
        ? null
        : { server, name, method: 'tools/call', params: callParams(name, input) },
    [server, name, input, isMasked],
  );
  if (identities && name !== null && runId !== null) {
    return <ComparedResults server={server} name={name} runId={runId} identities={identities} />;
  }
  const outcome =
    pair && runId !== null ? (
      <RunDifference runId={runId} {...pair} />
    ) : (
      <ResultPane
        run={run}
        server={server}
        name={name ?? TOOLS.fileName}
        copies={copies}
        again={input === undefined || isMasked ? undefined : again}
        call={call}
        runs={
          name !== null &&
          runId !== null && (
            <HistoryMenu server={server} tool={name} definition={definition} runId={runId} />
          )
        }
        note={
          runId !== null && (
            <>
              <EarlierRun runId={runId} />
              {isMasked && <p className={styles.historyNote}>▲ {HISTORY.masked}</p>}
              <DifferenceNote runId={runId} />
            </>
          )
        }
      >
        {NO_RESULT}
      </ResultPane>
    );
  if (!history || name === null || runId === null) return outcome;
  return (
    <CallHistory key={runId} server={server} tool={name} runId={runId}>
      {outcome}
    </CallHistory>
  );
});
