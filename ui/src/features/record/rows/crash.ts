import type { ConnectionStatus, ExchangeRow, FailureReport } from '@/backend/bindings';
import { useCallFailure } from '@/state/calls/runs';
import { useServers } from '@/state/servers/servers';
import { LOSS } from '@/widgets/failure/texts';
import { STATUS } from '../texts';

/** The crash that left a request without an answer, as far as the window knows of it. */
export function useCrash(row: ExchangeRow): FailureReport | null {
  const isOpen = row.outcome === 'unanswered' && row.direction === 'sent';
  const ofCall = useCallFailure(isOpen ? row.requestFrame : null);
  const ofServer = useServers((state) =>
    isOpen ? endOf(row, state.servers.find(({ id }) => id === row.serverId)?.status) : null,
  );
  return [ofCall, ofServer].find((failure) => failure && isCrash(failure)) ?? null;
}

/** The failure that ended the connection of a row. */
function endOf({ connection, at }: ExchangeRow, status: ConnectionStatus | undefined) {
  const { loss = null, failure = null } = status ?? {};
  // Rows of an opened recording count their connections anew.
  if (loss?.connection === connection && loss.at >= at) return loss.failure;
  return status?.connection === connection && status.since >= at ? failure : null;
}

function isCrash({ failure }: FailureReport): boolean {
  return failure.type === 'exited' && LOSS.kind(failure) === 'Crashed';
}

/** Says how the program ended. */
export function exitText({ failure }: FailureReport): string {
  return failure.type === 'exited' ? STATUS.exit(failure.code, failure.signal) : '';
}
