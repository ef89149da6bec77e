import type { ConfigAction, ConflictChoice, LostField, Target } from '../../bindings';
import type { FakeConfiguration } from './fake-configuration';
import { type Entries, type Entry, entriesOf, entryOfDraft, textOf, withDraft } from './text';

export interface FileChange {
  target: Target;
  /** Nothing where the file does not exist. */
  before: string | null;
  after: string | null;
}

interface Changes {
  title: string;
  changes: FileChange[];
  lost: LostField[];
}

type FileAction = Exclude<ConfigAction, { kind: 'undo' | 'redo' | 'restore' }>;

/** What an action makes of the files. */
export function changesOf(world: FakeConfiguration, action: FileAction): Changes {
  const before = (target: Target) => world.texts.get(`${target.client}:${target.scope}`) ?? null;
  const where = (target: Target) => world.file(target).title;
  const change = (target: Target, edit: (entries: Entries) => Entries): FileChange => {
    const old = before(target);
    const section = world.file(target).section === 'servers' ? 'servers' : 'mcpServers';
    return { target, before: old, after: textOf(edit(entriesOf(old ?? '')), section) };
  };
  const one = (title: string, target: Target, edit: (entries: Entries) => Entries): Changes => ({
    title,
    changes: [change(target, edit)],
    lost: [],
  });
  switch (action.kind) {
    case 'add':
      return one(`Added ${action.draft.name} to ${where(action.target)}`, action.target, (all) =>
        withDraft(all, null, action.draft),
      );
    case 'remove':
      return one(`Removed ${action.names.join(', ')}`, action.target, (all) =>
        without(all, action.names),
      );
    case 'disable':
    case 'enable': {
      const isDisabled = action.kind === 'disable';
      const word = isDisabled ? 'Disabled' : 'Enabled';
      return one(`${word} ${action.names.join(', ')}`, action.target, (all) =>
        Object.fromEntries(
          Object.entries(all).map(([name, { disabled: _, ...entry }]) => [
            name,
            action.names.includes(name) && isDisabled ? { ...entry, disabled: true } : entry,
          ]),
        ),
      );
    }
    case 'rename':
      return one(`Renamed ${action.name} to ${action.new_name}`, action.target, (all) =>
        Object.fromEntries(
          Object.entries(all).map(([name, entry]) => [
            name === action.name ? action.new_name : name,
            entry,
          ]),
        ),
      );
    case 'text':
      return {
        title: `Edited the text of ${where(action.target)}`,
        changes: [{ target: action.target, before: before(action.target), after: action.text }],
        lost: [],
      };
    case 'import':
      return one(
        `Imported ${action.items.length} into ${where(action.target)}`,
        action.target,
        (all) =>
          action.items.reduce(
            (entries, { draft, conflict }) =>
              put(entries, draft.name, entryOfDraft(draft), conflict),
            all,
          ),
      );
    case 'move':
    case 'copy': {
      const names = action.items.map(({ name }) => name);
      const lost: LostField[] = [];
      const to = change(action.to, (all) =>
        action.items.reduce((entries, { name, new_name, conflict }) => {
          const entry = { ...(world.entry(action.from, name) ?? {}) };
          const can = world.expresses(action.to.client);
          if (entry.cwd !== undefined && !can.working_directory) {
            lost.push({
              server: name,
              field: 'cwd',
              reason: 'This client starts every server in the folder of the project.',
            });
            delete entry.cwd;
          }
          if (entry.disabled && !can.disabled) {
            lost.push({
              server: name,
              field: 'disabled',
              reason: 'This client uses every server that it lists.',
            });
            delete entry.disabled;
          }
          return put(entries, new_name ?? name, entry, conflict);
        }, all),
      );
      const word = action.kind === 'move' ? 'Moved' : 'Copied';
      return {
        title: `${word} ${names.join(', ')} to ${where(action.to)}`,
        changes:
          action.kind === 'move' ? [change(action.from, (all) => without(all, names)), to] : [to],
        lost,
      };
    }
  }
}

function without(entries: Entries, names: readonly string[]): Entries {
  return Object.fromEntries(Object.entries(entries).filter(([name]) => !names.includes(name)));
}

function put(
  entries: Entries,
  name: string,
  entry: Entry,
  conflict: ConflictChoice = 'refuse',
): Entries {
  if (!(name in entries) || conflict === 'replace') return { ...entries, [name]: entry };
  if (conflict === 'skip') return entries;
  if (conflict === 'keep_both') {
    let number = 2;
    while (`${name}-${number}` in entries) number += 1;
    return { ...entries, [`${name}-${number}`]: entry };
  }
  throw {
    code: 'configuration',
    message: `There is a server ${name} already.`,
    hint: 'Choose another name, or what is to happen with it.',
  };
}
