import type { Backend } from '@/backend/backend';
import type { Draft, ImportSource } from '@/backend/bindings';
import { asCommandError } from '@/backend/error';

/** What a pasted text was taken for, and the servers in it. */
export interface Recognised {
  words: string;
  drafts: Draft[];
  /** What a person should know, or still has to do. */
  notes: string[];
  isUnderstood: boolean;
}

/** Understands what was pasted: a file's text, a command, an address or a package. */
export async function recognise(text: string, backend: Backend): Promise<Recognised> {
  try {
    const candidates = await backend.importCandidates(sourceOf(text));
    const [first] = candidates;
    return {
      words: first ? wordsOf(first.origin, candidates.length) : 'No server in it',
      drafts: candidates.map(({ draft }) => draft),
      notes: candidates.flatMap(({ notes, inputs }) => [
        ...notes,
        ...inputs
          .filter(({ required }) => required)
          .map(({ name, description }) => `${name} is required. ${description}`.trim()),
      ]),
      isUnderstood: first !== undefined,
    };
  } catch (reason) {
    return {
      words: asCommandError(reason).message,
      drafts: [],
      notes: [],
      isUnderstood: false,
    };
  }
}

function wordsOf(origin: string, count: number): string {
  const sentence = origin.charAt(0).toUpperCase() + origin.slice(1);
  return count === 1 ? sentence : `${sentence}, ${count} servers`;
}

/** An address and a package look like nothing else; all other texts are recognised as a whole. */
export function sourceOf(text: string): ImportSource {
  const trimmed = text.trim();
  if (/^(https?|wss?):\/\/\S+$/i.test(trimmed)) return { kind: 'url', url: trimmed };
  if (/^@[\w.-]+\/[\w.-]+(@[\w.-]+)?$/.test(trimmed)) return { kind: 'npm', package: trimmed };
  if (/^[\w.-]+(@[\w.-]+)?$/.test(trimmed)) {
    const isPython = /^mcp[-_]server[-_]|_/.test(trimmed);
    return isPython ? { kind: 'pypi', package: trimmed } : { kind: 'npm', package: trimmed };
  }
  return { kind: 'text', text };
}
