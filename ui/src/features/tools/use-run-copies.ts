import { useMemo } from 'react';
import { type Backend, useBackend } from '@/backend/backend';
import type { FrameId, ServerId } from '@/backend/bindings';
import type { MenuEntry } from '@/components/Menu';
import { copyText } from '@/lib/clipboard';
import { parseExact, stringifyExact } from '@/lib/json/exact';
import { shellQuoted } from '@/lib/shell';
import { showError, showNote } from '@/state/notices';
import type { Run } from '@/state/runs';
import { useServerName, useServers } from '@/state/servers';
import { COPIES } from './texts';

/** Returns the texts of a run that make it again elsewhere, as entries of a menu. */
export function useRunCopies(
  server: ServerId,
  tool: string,
  run: Run | undefined,
): readonly MenuEntry[] {
  const backend = useBackend();
  const project = useServers((state) => state.project.path);
  const name = useServerName(server) ?? '';
  const isHttp = useServers((state) =>
    state.servers.some(({ id, transport }) => id === server && transport !== 'stdio'),
  );
  return useMemo(() => {
    const frame = run?.report?.request.request_frame ?? null;
    const input = run?.input;
    return [
      {
        id: 'cli',
        title: COPIES.cli,
        isDisabled: input === undefined,
        run: () => copy(cliCommand({ project, server: name, tool, input: input ?? '{}' })),
      },
      {
        id: 'curl',
        title: COPIES.curl,
        isDisabled: frame === null || !isHttp,
        run: () => frame !== null && copy(curlCommand(backend, frame)),
      },
    ];
  }, [backend, project, name, isHttp, tool, run]);
}

interface CliCall {
  /** Path of the project. */
  project: string;
  server: string;
  tool: string;
  /** The arguments as JSON. */
  input: string;
}

/** The command line that makes the same call. */
export function cliCommand({ project, server, tool, input }: CliCall): string {
  const words = ['tools', 'call', server, tool, oneLine(input), '--project', project];
  return ['sightglass-cli', ...words.map(shellQuoted)].join(' ');
}

function oneLine(json: string): string {
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
