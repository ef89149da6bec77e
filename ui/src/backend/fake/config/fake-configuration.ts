import type {
  ApplyOutcome,
  BackupView,
  Client,
  ClientFields,
  ClientView,
  ConfigAction,
  ConfigFileView,
  ConfigServerView,
  ConfigTextView,
  ConfigurationView,
  DefinitionState,
  PlanView,
  Scope,
  ServerView,
  Target,
} from '../../bindings';
import { defaultLimits, disconnected, PROJECT, SCOPES } from '../servers';
import { CLIENTS, type FakeClient, type FakeFile } from './clients';
import { changesOf, type FileChange } from './plan';
import {
  diffOf,
  type Entry,
  entriesOf,
  entryProblem,
  placeOfEntry,
  positionOf,
  syntaxProblems,
} from './text';

export interface FakeConfigurationOptions {
  clients?: readonly FakeClient[];
  /** The file texts by `client:scope`. */
  texts: Record<string, string>;
  /** Servers of a project's files that wait for approval, by name. */
  waiting?: readonly string[];
  /** Names that a policy refuses, with the rule. */
  refused?: Record<string, string>;
  /** Values of variables. */
  variables?: Record<string, string>;
}

interface Done {
  title: string;
  changes: FileChange[];
}

interface Planned extends Done {
  kind: ConfigAction['kind'];
}

export const keyOf = ({ client, scope }: Target) => `${client}:${scope}`;

const FILES_OF_A_PROJECT = ['project', 'project_root'];

/** The configuration files of a computer that does not exist. Texts are the truth; all else follows. */
export class FakeConfiguration {
  private revision = 1;
  private readonly clients: readonly FakeClient[];
  readonly texts: Map<string, string>;
  readonly waiting: Set<string>;
  readonly refused: Record<string, string>;
  readonly variables: Record<string, string>;
  private readonly changedOutside = new Map<string, number>();
  private readonly plans = new Map<number, Planned>();
  private readonly backups = new Map<string, { key: string; text: string; taken: number }>();
  private undone: Done[] = [];
  private done: Done[] = [];
  private last = 0;
  private known: ConfigurationView | null = null;
  /** What each connected server was connected with, by name. */
  private readonly connectedWith = new Map<string, string>();
  /** Told after each change. */
  onChange = () => {};

  constructor(options: FakeConfigurationOptions) {
    this.clients = options.clients ?? CLIENTS;
    this.texts = new Map(Object.entries(options.texts));
    this.waiting = new Set(options.waiting);
    this.refused = options.refused ?? {};
    this.variables = options.variables ?? {};
  }

  /** Remembers with which entry a server is connected from now on, or that it is not. */
  noteConnection(server: string, isConnected: boolean): void {
    const name = server.replace(/^mcp-json:/, '');
    const found = this.view()
      .clients.find(({ client }) => client === 'mcp-json')
      ?.servers.find((known) => known.name === name);
    if (!found) return;
    if (isConnected) {
      const target = { client: 'mcp-json' as const, scope: found.scope };
      this.connectedWith.set(name, JSON.stringify(this.entry(target, name)));
    } else this.connectedWith.delete(name);
    if (found.outdated) this.changed();
  }

  /** The whole picture, made once for each revision. */
  view(): ConfigurationView {
    if (this.known?.revision !== this.revision) this.known = this.makeView();
    return this.known;
  }

  private makeView(): ConfigurationView {
    return {
      revision: this.revision,
      clients: this.clients.map((client) => this.clientView(client)),
      policy: Object.values(this.refused).map((rule) => ({
        rule,
        path: '/etc/claude-code/managed-settings.json',
      })),
      undo: this.done.at(-1)?.title ?? null,
      redo: this.undone.at(-1)?.title ?? null,
    };
  }

  private clientView(client: FakeClient): ClientView {
    return {
      client: client.client,
      title: client.title,
      documentation: 'https://example.com',
      found: client.files.some((file) => this.texts.has(this.key(client, file))),
      precedence: client.precedence,
      expresses: client.expresses,
      files: client.files.map((file, index) => this.fileView(client, file, index)),
      servers: this.servers(client),
    };
  }

  private key(client: FakeClient, file: FakeFile): string {
    return keyOf({ client: client.client, scope: file.scope });
  }

  private fileView(client: FakeClient, file: FakeFile, index: number): ConfigFileView {
    const key = this.key(client, file);
    const text = this.texts.get(key);
    const broken = text === undefined ? [] : syntaxProblems(text);
    const entries = Object.entries(entriesOf(text ?? ''));
    return {
      scope: file.scope,
      title: file.title,
      label: file.label,
      path: file.path,
      section: file.section,
      format: file.format,
      writer: file.writer,
      writable: file.writer === 'user' || file.writer === 'project',
      precedence: index + 1,
      note: file.note,
      state: text === undefined ? 'missing' : broken.length > 0 ? 'broken' : 'loaded',
      problems:
        broken.length > 0
          ? broken
          : entries.flatMap(([name, entry]) => entryProblem(text ?? '', name, entry) ?? []),
      unreadable: null,
      mode: text === undefined ? null : file.isTracked ? '0644' : '0600',
      tracked: file.isTracked,
      changed_outside: this.changedOutside.get(key) ?? null,
      servers: entries.length,
    };
  }

  /** Each name once, with the cells of the files that define it. */
  private servers(client: FakeClient): ConfigServerView[] {
    const found = new Map<string, { file: FakeFile; text: string; entry: Entry }[]>();
    for (const file of client.files) {
      const text = this.texts.get(this.key(client, file)) ?? '';
      for (const [name, entry] of Object.entries(entriesOf(text))) {
        found.set(name, [...(found.get(name) ?? []), { file, text, entry }]);
      }
    }
    return [...found].map(([name, definitions]) => {
      const winner = definitions.at(-1);
      if (!winner) throw new Error('a name without a definition');
      const state = this.stateOf(client.client, name, winner.file, winner.text, winner.entry);
      const changed = this.changedOutside.has(this.key(client, winner.file));
      return {
        name,
        server: client.client === 'mcp-json' ? `mcp-json:${name}` : null,
        state,
        reason: `Defined in ${winner.file.title}.`,
        scope: winner.file.scope,
        summary: winner.entry.url ?? [winner.entry.command, ...(winner.entry.args ?? [])].join(' '),
        transport: winner.entry.url ? 'http' : 'stdio',
        cells: definitions.map(({ file, text, entry }) => ({
          scope: file.scope,
          ...placeOfEntry(text, name),
          state:
            file === winner.file ? state : { kind: 'shadowed' as const, by: winner.file.scope },
          problems: this.warnings(text, name, entry, file),
          unknown_fields: [],
        })),
        changed_outside: changed && state.kind !== 'invalid',
        outdated:
          client.client === 'mcp-json' &&
          this.connectedWith.has(name) &&
          this.connectedWith.get(name) !== JSON.stringify(winner.entry),
      };
    });
  }

  private stateOf(
    client: Client,
    name: string,
    file: FakeFile,
    text: string,
    entry: Entry,
  ): DefinitionState {
    const rule = this.refused[name];
    if (rule !== undefined && client === 'mcp-json') return { kind: 'refused', rule };
    const problem = entryProblem(text, name, entry);
    if (problem) {
      const { line, column, message } = problem;
      return { kind: 'invalid', line, column, message };
    }
    if (entry.disabled) return { kind: 'disabled' };
    const isShared = FILES_OF_A_PROJECT.includes(file.scope);
    return client === 'mcp-json' && isShared && this.waiting.has(name)
      ? { kind: 'waiting' }
      : { kind: 'wins' };
  }

  private warnings(text: string, name: string, entry: Entry, file: FakeFile) {
    const invalid = entryProblem(text, name, entry);
    const secret = Object.entries(entry.env ?? {}).find(
      ([key, value]) => /TOKEN|KEY|SECRET/.test(key) && !value.includes('${'),
    );
    const warning =
      secret && file.isTracked
        ? {
            severity: 'warning' as const,
            kind: 'invalid_value' as const,
            ...positionOf(text, text.indexOf(JSON.stringify(secret[0]))),
            message: `${secret[0]} looks like a secret, and git tracks this file.`,
          }
        : null;
    return [invalid, warning].filter((problem) => problem !== null);
  }

  /** The servers that the sidebar shows. What is known of their connections stays. */
  sidebar(known: readonly ServerView[]): ServerView[] {
    const client = this.clients.find((one) => one.client === 'mcp-json');
    if (!client) return [];
    return this.servers(client).map((server) => {
      const id = `mcp-json:${server.name}`;
      const before = known.find((one) => one.id === id);
      const cell = server.cells.at(-1);
      const scope = server.scope as Scope;
      return {
        id,
        name: server.name,
        scope,
        path: SCOPES[scope]?.path ?? null,
        line: cell?.line ?? null,
        summary: server.summary,
        transport: server.transport === 'ws' ? 'web_socket' : server.transport,
        era: 'auto',
        problems: (cell?.problems ?? []).filter(({ severity }) => severity === 'error'),
        shadowed: server.cells
          .slice(0, -1)
          .toReversed()
          .map(({ scope: other }) => ({
            scope: other as Scope,
            path: SCOPES[other as Scope]?.path ?? '',
          })),
        disabled: server.state.kind === 'disabled',
        blocked:
          server.state.kind === 'waiting' || server.state.kind === 'refused' ? server.state : null,
        obstacle: obstacleOf(server.state.kind),
        session_variables: [],
        start: null,
        roots: before?.roots ?? { folders: [PROJECT], is_default: true },
        status: before?.status ?? disconnected(),
        lists: before?.lists ?? [],
        limits: before?.limits ?? defaultLimits(),
      };
    });
  }

  text(target: Target): ConfigTextView {
    const file = this.file(target);
    const text = this.texts.get(keyOf(target));
    return {
      path: file.path,
      format: file.format,
      text: text ?? '',
      exists: text !== undefined,
      schema: SCHEMA,
    };
  }

  /** What the entries of a client can say. */
  expresses(client: Client): ClientFields {
    const known = this.clients.find((one) => one.client === client);
    if (!known) throw { code: 'not_found', message: `There is no client ${client}.`, hint: null };
    return known.expresses;
  }

  file({ client, scope }: Target): FakeFile {
    const file = this.clients
      .find((one) => one.client === client)
      ?.files.find((one) => one.scope === scope);
    if (!file) throw { code: 'not_found', message: `There is no file ${scope}.`, hint: null };
    return file;
  }

  entry(target: Target, name: string): Entry | undefined {
    return entriesOf(this.texts.get(keyOf(target)) ?? '')[name];
  }

  plan(action: ConfigAction): PlanView {
    const { title, changes, lost } = this.changesFor(action);
    const files = changes.map(({ target, before, after }) => {
      const file = this.file(target);
      return {
        path: file.path,
        label: file.label,
        outside: null,
        creates: before === null,
        deletes: after === null,
        diff: diffOf(before ?? '', after ?? ''),
        remaining_problems: syntaxProblems(after ?? ''),
      };
    });
    this.last += 1;
    this.plans.set(this.last, { title, changes, kind: action.kind });
    return { plan: this.last, title, files, lost, warnings: [] };
  }

  private changesFor(action: ConfigAction) {
    if (action.kind === 'undo' || action.kind === 'redo') {
      const entry = (action.kind === 'undo' ? this.done : this.undone).at(-1);
      if (!entry) throw { code: 'not_found', message: 'There is nothing to undo.', hint: null };
      const changes =
        action.kind === 'undo'
          ? entry.changes.map(({ target, before, after }) => ({
              target,
              before: after,
              after: before,
            }))
          : entry.changes;
      const word = action.kind === 'undo' ? 'Undid' : 'Did again';
      return { title: `${word}: ${entry.title}`, changes, lost: [] };
    }
    if (action.kind === 'restore') {
      const backup = this.backups.get(action.backup);
      if (!backup) throw { code: 'not_found', message: 'The backup is gone.', hint: null };
      const [client, scope] = backup.key.split(':');
      const target = { client, scope } as Target;
      const before = this.texts.get(backup.key) ?? null;
      return {
        title: `Restored ${this.file(target).label}`,
        changes: [{ target, before, after: backup.text }],
        lost: [],
      };
    }
    return changesOf(this, action);
  }

  apply(number: number): ApplyOutcome {
    const plan = this.plans.get(number);
    if (!plan) throw { code: 'not_found', message: 'Plan the change again.', hint: null };
    const differing = plan.changes.filter(
      ({ target, before }) => (this.texts.get(keyOf(target)) ?? null) !== before,
    );
    if (differing.length > 0) {
      return {
        kind: 'conflict',
        files: differing.map(({ target, before, after }) => {
          const now = this.texts.get(keyOf(target)) ?? '';
          return {
            target,
            path: this.file(target).path,
            planned_on: before ?? '',
            now,
            mine: after ?? '',
            diff: diffOf(now, after ?? ''),
          };
        }),
      };
    }
    for (const { target, before, after } of plan.changes) {
      const key = keyOf(target);
      if (before !== null) {
        this.last += 1;
        this.backups.set(`backup-${this.last}`, { key, text: before, taken: Date.now() });
      }
      if (after === null) this.texts.delete(key);
      else this.texts.set(key, after);
      this.changedOutside.delete(key);
    }
    this.remember(plan);
    this.changed();
    return { kind: 'applied', title: plan.title };
  }

  private remember(plan: Planned): void {
    if (plan.kind === 'undo') {
      const entry = this.done.pop();
      if (entry) this.undone.push(entry);
    } else if (plan.kind === 'redo') {
      const entry = this.undone.pop();
      if (entry) this.done.push(entry);
    } else {
      this.done.push(plan);
      this.undone = [];
    }
  }

  backupViews(): BackupView[] {
    return [...this.backups]
      .map(([id, { key, text, taken }]) => {
        const [client, scope] = key.split(':');
        const { path } = this.file({ client, scope } as Target);
        return { id, path, taken, size: text.length };
      })
      .toReversed();
  }

  /** Another program writes a file. */
  writeOutside(target: Target, text: string): void {
    this.texts.set(keyOf(target), text);
    this.changedOutside.set(keyOf(target), Date.now());
    this.changed();
  }

  revoke(name: string): void {
    this.waiting.add(name);
    this.changed();
  }

  approve(name: string): void {
    this.waiting.delete(name);
    this.changed();
  }

  private changed(): void {
    this.revision += 1;
    this.onChange();
  }
}

const SCHEMA = JSON.stringify({
  type: 'object',
  properties: {
    mcpServers: {
      type: 'object',
      additionalProperties: {
        type: 'object',
        properties: {
          type: { enum: ['stdio', 'http', 'sse'] },
          command: { type: 'string' },
          args: { type: 'array', items: { type: 'string' } },
          env: { type: 'object' },
          cwd: { type: 'string' },
          url: { type: 'string' },
          headers: { type: 'object' },
          disabled: { type: 'boolean' },
        },
      },
    },
  },
});

function obstacleOf(state: string): ServerView['obstacle'] {
  const reason = { waiting: 'Needs approval', refused: 'Refused by policy' }[state];
  return reason === undefined ? null : { reason, hint: '', evidence: [], actions: [] };
}
