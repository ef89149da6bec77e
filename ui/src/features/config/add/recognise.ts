import type { Backend } from '@/backend/backend';
import type { ConfigurationView, Draft, Target } from '@/backend/bindings';
import { clientOf } from '@/state/configuration';
import { draftOf, EMPTY, withAddress, withCommandLine } from '../edit/draft';
import { readAddCommand } from './add-command';
import { readPasted } from './command-line';
import { readServerJson } from './server-json';

/** What a pasted text was taken for, and the servers in it. */
export interface Recognised {
  words: string;
  drafts: Draft[];
  /** What a person should know, or still has to do. */
  notes: string[];
  isUnderstood: boolean;
}

/** Understands what was pasted: a file's text, a command, an address or a package. */
export async function recognise(
  text: string,
  view: ConfigurationView,
  backend: Backend,
): Promise<Recognised> {
  const trimmed = text.trim();
  if (/^[{["]/.test(trimmed)) return fromSnippet(trimmed, view, backend);
  const command = readAddCommand(trimmed);
  if (command) return understood(`A command of ${command.program}`, [command.draft]);
  if (/^(@[\w.-]+\/)?[\w.-]+(@[\w.-]+)?$/.test(trimmed)) return fromPackage(trimmed);
  const pasted = readPasted(trimmed);
  if (pasted.kind === 'address') {
    return understood('An address', [draftOf(withAddress(EMPTY, pasted.url))]);
  }
  if (pasted.kind === 'command-line' && pasted.line.command !== '') {
    return understood('A command line', [draftOf(withCommandLine(EMPTY, pasted.line))]);
  }
  return {
    words: 'Not something that Sightglass knows',
    drafts: [],
    notes: [],
    isUnderstood: false,
  };
}

function understood(words: string, drafts: Draft[], notes: string[] = []): Recognised {
  return { words, drafts, notes, isUnderstood: drafts.length > 0 };
}

/** An npm package as npx starts it, any other as uvx does. */
function fromPackage(name: string): Recognised {
  const [, scope, plain = name] = /^(@[\w.-]+\/)?([\w.-]+)/.exec(name) ?? [];
  const isPython = scope === undefined && /^mcp[-_]server[-_]|_/.test(plain);
  const [command, args] = isPython ? ['uvx', [name]] : ['npx', ['-y', name]];
  const form = withCommandLine(EMPTY, { environment: [], command, arguments: args });
  return understood(
    isPython ? 'A PyPI package' : 'An npm package',
    [draftOf(form.name === '' ? { ...form, name: plain } : form)],
    isPython || scope !== undefined
      ? []
      : ['If it is a Python package, replace the command npx -y by uvx.'],
  );
}

/** JSON or TOML of any client, whole or in part. */
async function fromSnippet(
  text: string,
  view: ConfigurationView,
  backend: Backend,
): Promise<Recognised> {
  const described = readServerJson(text);
  if (described) {
    const notes = described.flatMap((one) => one.notes);
    const ways = described.map(({ draft }) => draft);
    return understood(
      ways.length === 1 ? 'A server.json' : `A server.json with ${ways.length} ways to run it`,
      ways.slice(0, 1),
      ways.length > 1 ? [...notes, 'The first way is used.'] : notes,
    );
  }
  let problem: string | null = null;
  for (const { target, title } of dialects(view)) {
    for (const candidate of variantsOf(text)) {
      const { servers, problems } = await backend.readConfigurationText(target, candidate);
      const drafts = servers.flatMap(({ draft }) => draft ?? []);
      const [first] = problems;
      if (first && problem === null && candidate === text) {
        problem = `Line ${first.line}, column ${first.column}: ${first.message}`;
      }
      if (drafts.length === 0) continue;
      const count = drafts.length === 1 ? '1 server' : `${drafts.length} servers`;
      const left = servers.length - drafts.length;
      return understood(
        `A ${title} snippet with ${count}`,
        drafts,
        left > 0 ? [`${left} of its entries cannot be read and are left out.`] : [],
      );
    }
  }
  return {
    words: 'No server in it',
    drafts: [],
    notes: problem === null ? [] : [problem],
    isUnderstood: false,
  };
}

/** One file of each client, whose format the text may have. */
function dialects(view: ConfigurationView): { target: Target; title: string }[] {
  return view.clients.flatMap(({ client, title }) => {
    const scope = clientOf(view, client)?.files.find(({ writable }) => writable)?.scope;
    return scope === undefined ? [] : [{ target: { client, scope }, title }];
  });
}

/** The text itself, and what it would be as a part of a file. */
function variantsOf(text: string): string[] {
  if (!text.startsWith('{') && !text.startsWith('"')) return [text];
  const members = text.startsWith('"') ? `{${text.replace(/,\s*$/, '')}}` : text;
  if (isEntry(members)) return [`{"mcpServers":{"server":${members}}}`];
  return [text, `{"mcpServers":${members}}`];
}

/** Whether it is a single entry, without its name. */
function isEntry(text: string): boolean {
  try {
    const { command, url } = JSON.parse(text) as { command?: unknown; url?: unknown };
    return typeof command === 'string' || typeof url === 'string';
  } catch {
    return false;
  }
}
