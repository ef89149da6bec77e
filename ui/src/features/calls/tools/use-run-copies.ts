import { useMemo } from 'react';
import { type Backend, useBackend } from '@/backend/backend';
import type { FrameId, ServerId } from '@/backend/bindings';
import type { MenuEntry } from '@/components/Menu';
import { copyText } from '@/lib/clipboard';
import { parseExact, stringifyExact } from '@/lib/json/exact';
import type { Run } from '@/state/calls/runs';
import { showError, showNote } from '@/state/notices';
import { useServers } from '@/state/servers/servers';
import { COPIES } from './texts';

/** Returns the texts of a run that make it again elsewhere, as entries of a menu. */
export function useRunCopies(
  server: ServerId,
  tool: string,
  run: Run | undefined,
): readonly MenuEntry[] {
  const backend = useBackend();
  const isHttp = useServers((state) =>
    state.servers.some(({ id, transport }) => id === server && transport !== 'stdio'),
  );
  return useMemo(() => {
    const frame = run?.report?.request.requestFrame ?? null;
    const input = run?.input;
    return [
      {
        id: 'cli',
        title: COPIES.cli,
        isDisabled: input === undefined,
        run: () => copy(backend.getToolCallCommand(server, tool, oneLine(input ?? '{}'))),
      },
      {
        id: 'curl',
        title: COPIES.curl,
        isDisabled: frame === null || !isHttp,
        run: () => frame !== null && copy(curlCommand(backend, frame)),
      },
    ];
  }, [backend, server, isHttp, tool, run]);
}

/** JSON on one line, with its numbers digit by digit. */
export function oneLine(json: string): string {
  try {
    return stringifyExact(parseExact(json), 0);
  } catch {
    return json;
  }
}

/** The request of a call bears the number of its row. Secrets in it are masked on record. */
function curlCommand(backend: Backend, frame: FrameId): Promise<string> {
  return backend.copyExchange(frame, 'curl');
}

function copy(text: string | Promise<string>): void {
  copyText(text).then(() => showNote(COPIES.copied), showError);
}
