import { readJson } from '@/lib/json/read';
import type { DiffLine, Draft, DraftSignIn, Problem, TextReading } from '../../bindings';

/** An entry as a file has it. */
export interface Entry {
  type?: string;
  command?: string;
  args?: string[];
  env?: Record<string, string>;
  cwd?: string;
  url?: string;
  headers?: Record<string, string>;
  disabled?: boolean;
  oauth?: 'off' | { clientId?: string; scopes?: string[]; callbackPort?: number };
  bearer_token_env_var?: string;
}

export type Entries = Record<string, Entry>;

/** The servers of a text. The fake knows one section, whatever it is called. */
export function entriesOf(text: string): Entries {
  try {
    const file = JSON.parse(text || '{}') as Record<string, Entries>;
    return file.mcpServers ?? file.servers ?? {};
  } catch {
    return {};
  }
}

export function textOf(entries: Entries, section = 'mcpServers'): string {
  return `${JSON.stringify({ [section]: entries }, null, 2)}\n`;
}

export function positionOf(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset).split('\n');
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}

/** Where the entry's name stands. */
export function placeOfEntry(text: string, name: string): { line: number; column: number } {
  const at = text.indexOf(`${JSON.stringify(name)}:`);
  return positionOf(text, Math.max(0, at));
}

export function syntaxProblems(text: string): Problem[] {
  if (text.trim() === '') return [];
  const reading = readJson(text);
  if (!('problem' in reading)) return [];
  const place = positionOf(text, reading.problem.position);
  return [{ severity: 'error', kind: 'syntax', ...place, message: reading.problem.message }];
}

/** What keeps an entry from being used. */
export function entryProblem(text: string, name: string, entry: Entry): Problem | null {
  if (entry.command || entry.url) return null;
  return {
    severity: 'error',
    kind: 'missing_field',
    ...placeOfEntry(text, name),
    message: 'The entry has neither a command nor a url.',
  };
}

export function readText(text: string): TextReading {
  const syntax = syntaxProblems(text);
  if (syntax.length > 0) return { problems: syntax, servers: [] };
  const entries = Object.entries(entriesOf(text));
  return {
    problems: entries.flatMap(([name, entry]) => entryProblem(text, name, entry) ?? []),
    servers: entries.map(([name, entry]) => ({
      name,
      ...placeOfEntry(text, name),
      draft: draftOfEntry(name, entry),
    })),
  };
}

const named = (values: Record<string, string> = {}) =>
  Object.entries(values).map(([name, text]) => ({ name, text }));

export function draftOfEntry(name: string, entry: Entry): Draft {
  const oauth = typeof entry.oauth === 'object' ? entry.oauth : {};
  return {
    name,
    era: 'auto',
    sign_in: {
      off: entry.oauth === 'off',
      client_id: oauth.clientId ?? null,
      client_metadata_url: null,
      scopes: oauth.scopes ?? null,
      callback_port: oauth.callbackPort ?? null,
      bearer_variable: entry.bearer_token_env_var ?? null,
    },
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
            transport: 'auto',
            url: entry.url,
            headers: named(entry.headers),
            ca_file: null,
            fingerprint: null,
          },
  };
}

const record = (values: readonly { name: string; text: string }[]) =>
  values.length > 0 ? Object.fromEntries(values.map(({ name, text }) => [name, text])) : undefined;

/** The entry that a draft amounts to; what the draft does not know is kept. */
export function entryOfDraft(
  { endpoint, sign_in: signIn }: Draft,
  { command, args, env, cwd, url, headers, type, ...before }: Entry = {},
): Entry {
  const { oauth, bearer_token_env_var: bearer, ...rest } = before;
  const kept = signIn ? { ...rest, ...signInOf(signIn) } : before;
  const entry: Entry =
    endpoint.kind === 'stdio'
      ? {
          command: endpoint.command,
          ...(endpoint.arguments.length > 0 && { args: endpoint.arguments }),
          env: record(endpoint.environment),
          cwd: endpoint.working_directory ?? undefined,
        }
      : { type: type ?? 'http', url: endpoint.url, headers: record(endpoint.headers) };
  return { ...entry, ...kept };
}

function signInOf(signIn: DraftSignIn): Pick<Entry, 'oauth' | 'bearer_token_env_var'> {
  const { off, client_id: clientId, scopes, callback_port: callbackPort } = signIn;
  const oauth = {
    ...(clientId && { clientId }),
    ...(scopes && { scopes }),
    ...(callbackPort && { callbackPort }),
  };
  return {
    ...(off ? { oauth: 'off' } : Object.keys(oauth).length > 0 && { oauth }),
    ...(signIn.bearer_variable && { bearer_token_env_var: signIn.bearer_variable }),
  };
}

/** Puts a draft into the entries in the place of `name`, or at their end. */
export function withDraft(entries: Entries, name: string | null, draft: Draft): Entries {
  if (name === null || !(name in entries)) {
    return { ...entries, [draft.name]: entryOfDraft(draft) };
  }
  return Object.fromEntries(
    Object.entries(entries).map(([key, entry]) =>
      key === name ? [draft.name, entryOfDraft(draft, entry)] : [key, entry],
    ),
  );
}

/** The lines of two texts, kept, removed and added. */
export function diffOf(before: string, after: string): DiffLine[] {
  const old = before === '' ? [] : before.replace(/\n$/, '').split('\n');
  const now = after === '' ? [] : after.replace(/\n$/, '').split('\n');
  let start = 0;
  while (start < old.length && start < now.length && old[start] === now[start]) start += 1;
  let end = 0;
  while (
    end < old.length - start &&
    end < now.length - start &&
    old.at(-1 - end) === now.at(-1 - end)
  ) {
    end += 1;
  }
  const line = (kind: DiffLine['kind'], text: string, at: [number | null, number | null]) => ({
    kind,
    text,
    before: at[0],
    after: at[1],
  });
  return [
    ...old.slice(0, start).map((text, index) => line('kept', text, [index + 1, index + 1])),
    ...old
      .slice(start, old.length - end)
      .map((text, index) => line('removed', text, [start + index + 1, null])),
    ...now
      .slice(start, now.length - end)
      .map((text, index) => line('added', text, [null, start + index + 1])),
    ...now
      .slice(now.length - end)
      .map((text, index) =>
        line('kept', text, [old.length - end + index + 1, now.length - end + index + 1]),
      ),
  ];
}
