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
    const candidates = await backend.importCandidates(sourceOf(text));
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

/** An address and a package look like nothing else; all other texts are recognised as a whole. */
export function sourceOf(text: string): ImportSource {
  const trimmed = text.trim();
  if (/^(https?|wss?):\/\/\S+$/i.test(trimmed)) return { kind: 'url', url: trimmed };
  if (/^(\/|~|[A-Za-z]:\\)[^\n]*\.(mcpb|dxt)$/i.test(trimmed)) {
    return { kind: 'bundle', path: trimmed };
  }
  if (/^@[\w.-]+\/[\w.-]+(@[\w.-]+)?$/.test(trimmed)) return { kind: 'npm', package: trimmed };
  if (/^[\w.-]+(@[\w.-]+|==[\w.-]+)?$/.test(trimmed)) {
    const isPython = /^mcp[-_]server[-_]|_|==/.test(trimmed);
    return isPython ? { kind: 'pypi', package: trimmed } : { kind: 'npm', package: trimmed };
  }
  return { kind: 'text', text };
}
