import type { Backend } from '@/backend/backend';
import type { Candidate, ImportSource } from '@/backend/bindings';
import { asCommandError } from '@/backend/error';
import { formatQuantity } from '@/lib/format';
import { NO_SERVER, recognised, waysToOne } from './texts';

/** The kind of a pasted text, and the servers in it. */
export interface Recognised {
  message: string;
  candidates: readonly Candidate[];
  isUnderstood: boolean;
}

/** Understands what was pasted: a file's text, a command, an address or a package. */
export async function recognise(text: string, backend: Backend): Promise<Recognised> {
  try {
    const candidates = await backend.listImportCandidates(sourceOf(text));
    const [first] = candidates;
    return {
      message: first ? messageOf(first.origin, candidates) : NO_SERVER,
      candidates,
      isUnderstood: first !== undefined,
    };
  } catch (reason) {
    return { message: asCommandError(reason).message, candidates: [], isUnderstood: false };
  }
}

/**
 * Tells whether candidates are ways to one server, of which one is taken, and not several servers.
 */
export function isOneServer(candidates: readonly Candidate[]): boolean {
  const [first] = candidates;
  return candidates.every(({ draft }) => draft.name === first?.draft.name);
}

function messageOf(origin: string, candidates: readonly Candidate[]): string {
  const { length } = candidates;
  if (length === 1) return recognised(origin);
  return isOneServer(candidates)
    ? waysToOne(length)
    : recognised(`${origin}, ${formatQuantity(length, 'server')}`);
}

/** A host of this machine, which rarely has a certificate. */
const OWN_HOST = /^(localhost|127(\.\d+){3}|\[::1\])(?=[:/]|$)/i;

/** A name or an address of a host, which may have a port and a path. */
const HOST =
  /^(?:[a-z\d](?:[a-z\d-]*[a-z\d])?\.)+(?:[a-z][a-z\d-]*[a-z\d]|\d{1,3})(?::\d+)?(?:[/?]\S*)?$/i;

/** Any name with a port. */
const HOST_WITH_PORT = /^[a-z\d](?:[\w-]*[a-z\d])?(?:\.[\w-]+)*:\d+(?:[/?]\S*)?$/i;

/**
 * Endings of names that are files or, with `.js`, packages; some of them are top-level domains too.
 * The command line has the same ones, in `FILE_ENDINGS` of `target.rs`.
 */
const NO_HOST =
  /^[^/:?]*\.(js|mjs|cjs|ts|mts|cts|py|rb|php|jar|sh|rs|md|zip|json|jsonc|toml|yaml|yml|mcpb|dxt|exe|bat|cmd)$/i;

/** The address that a bare host means; `https` is what servers on the internet have. */
function addressOf(text: string): string | undefined {
  if (OWN_HOST.test(text)) return `http://${text}`;
  if (NO_HOST.test(text) || !(HOST.test(text) || HOST_WITH_PORT.test(text))) return undefined;
  return `https://${text}`;
}

/** An address and a package look like nothing else; all other texts are recognised as a whole. */
export function sourceOf(text: string): ImportSource {
  const trimmed = text.trim();
  if (/^(https?|wss?):\/\/\S+$/i.test(trimmed)) return { type: 'url', url: trimmed };
  const address = addressOf(trimmed);
  if (address !== undefined) return { type: 'url', url: address };
  if (/^(\/|~|[A-Za-z]:\\)[^\n]*\.(mcpb|dxt)$/i.test(trimmed)) {
    return { type: 'bundle', path: trimmed };
  }
  if (/^@[\w.-]+\/[\w.-]+(@[\w.-]+)?$/.test(trimmed)) return { type: 'npm', package: trimmed };
  if (/^[\w.-]+(@[\w.-]+|==[\w.-]+)?$/.test(trimmed)) {
    const isPython = /^mcp[-_]server[-_]|_|==/.test(trimmed);
    return isPython ? { type: 'pypi', package: trimmed } : { type: 'npm', package: trimmed };
  }
  return { type: 'text', text };
}
