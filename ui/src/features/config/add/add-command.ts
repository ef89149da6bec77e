import type { Draft, NamedText, RemoteTransport } from '@/backend/bindings';
import { splitCommandLine } from './command-line';

/** A server that a program's own command would add. */
export interface AddCommand {
  /** The program: `claude`, `codex`, `gemini`, `code`. */
  program: string;
  draft: Draft;
}

/** Options that take a value, by what they set. */
const OPTIONS: Record<string, 'transport' | 'scope' | 'env' | 'header' | 'url' | 'bearer'> = {
  '-t': 'transport',
  '--transport': 'transport',
  '-s': 'scope',
  '--scope': 'scope',
  '-e': 'env',
  '--env': 'env',
  '-H': 'header',
  '--header': 'header',
  '--url': 'url',
  '--bearer-token-env-var': 'bearer',
};

const TRANSPORTS: Record<string, RemoteTransport> = { http: 'http', sse: 'sse' };

/**
 * Reads `claude mcp add …`, `claude mcp add-json …`, `codex mcp add …`, `gemini mcp add …` and
 * `code --add-mcp …`; nothing for any other text.
 */
export function readAddCommand(text: string): AddCommand | null {
  const line = splitCommandLine(text.trim());
  const program = line.command.split('/').at(-1) ?? '';
  const [first, second, ...rest] = line.arguments;
  if (/^code(-insiders)?$/.test(program) && first === '--add-mcp' && second !== undefined) {
    return fromJson(program, null, second);
  }
  if (first !== 'mcp' || !['claude', 'codex', 'gemini'].includes(program)) return null;
  if (second === 'add-json') {
    const words = rest.filter((word, at) => !word.startsWith('-') && !isValue(rest, at));
    const [name, json] = words;
    return name === undefined || json === undefined ? null : fromJson(program, name, json);
  }
  return second === 'add' ? fromWords(program, rest) : null;
}

const isValue = (words: readonly string[], at: number) =>
  OPTIONS[words[at - 1] ?? ''] !== undefined;

function fromWords(program: string, words: readonly string[]): AddCommand | null {
  const environment: NamedText[] = [];
  const headers: NamedText[] = [];
  const plain: string[] = [];
  let transport: RemoteTransport | undefined;
  let url: string | undefined;
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? '';
    // What comes after the program belongs to it, with or without the two dashes.
    if (word === '--' || plain.length >= 2) {
      plain.push(...words.slice(word === '--' ? at + 1 : at));
      break;
    }
    const [option = '', inline] = word.startsWith('--') ? word.split(/=(.*)/s) : [word];
    const kind = OPTIONS[option];
    if (kind === undefined) {
      if (!word.startsWith('-')) plain.push(word);
      continue;
    }
    if (inline === undefined) at += 1;
    const value = inline ?? words[at] ?? '';
    if (kind === 'env') environment.push(pair(value, '='));
    else if (kind === 'header') headers.push(pair(value, ':'));
    else if (kind === 'transport') transport = TRANSPORTS[value];
    else if (kind === 'url') url = value;
    else if (kind === 'bearer') {
      headers.push({ name: 'Authorization', text: `Bearer \${${value}}` });
    }
  }
  const [name, command, ...rest] = plain;
  if (name === undefined) return null;
  const address = url ?? (command && /^(https?|wss?):\/\//.test(command) ? command : undefined);
  if (address !== undefined) {
    return {
      program,
      draft: {
        name,
        endpoint: { kind: 'remote', transport: transport ?? 'auto', url: address, headers },
      },
    };
  }
  if (command === undefined) return null;
  return {
    program,
    draft: {
      name,
      endpoint: {
        kind: 'stdio',
        command,
        arguments: rest,
        environment,
        working_directory: null,
      },
    },
  };
}

/** `NAME=value` or `Name: value`. */
function pair(text: string, sign: string): NamedText {
  const at = text.indexOf(sign);
  return at < 0
    ? { name: text, text: '' }
    : { name: text.slice(0, at).trim(), text: text.slice(at + 1).trim() };
}

function fromJson(program: string, given: string | null, json: string): AddCommand | null {
  try {
    const entry = JSON.parse(json) as JsonEntry & { name?: string };
    const name = given ?? entry.name;
    return name === undefined ? null : { program, draft: draftOfJson(name, entry) };
  } catch {
    return null;
  }
}

interface JsonEntry {
  type?: string;
  command?: string;
  args?: string[];
  env?: Record<string, string>;
  cwd?: string;
  url?: string;
  headers?: Record<string, string>;
}

function draftOfJson(name: string, entry: JsonEntry): Draft {
  const named = (values: Record<string, string> = {}) =>
    Object.entries(values).map(([key, text]) => ({ name: key, text: String(text) }));
  return {
    name,
    endpoint:
      entry.url === undefined
        ? {
            kind: 'stdio',
            command: entry.command ?? '',
            arguments: entry.args ?? [],
            environment: named(entry.env),
            working_directory: entry.cwd ?? null,
          }
        : {
            kind: 'remote',
            transport: TRANSPORTS[entry.type ?? ''] ?? 'auto',
            url: entry.url,
            headers: named(entry.headers),
          },
  };
}
