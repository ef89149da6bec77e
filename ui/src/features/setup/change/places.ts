import type {
  Client,
  ClientView,
  ConfigFileView,
  ConfigurationView,
  Target,
} from '@/backend/bindings';
import { listOf } from '@/lib/format';
import { fileOf, readersOf } from '@/state/setup/configuration';
import { fileKey } from '../grid/file-rows';
import { TARGET } from './texts';

/** The client under which Sightglass's own files are listed. */
const OWN: Client = 'mcp-json';

/** A file that an entry can be saved in. */
export interface Place {
  key: string;
  target: Target;
  file: ConfigFileView;
  /** The client that reads it, where that counts, and its path: "Claude Code, this project – .mcp.json". */
  label: string;
}

interface Offer {
  /** The file that is chosen. */
  value: Target | null;
  /** A file that is not offered. */
  except?: Target | undefined;
}

/**
 * The files that can be written: Sightglass's own first, then those of the clients found here, the
 * strongest first. A file that several clients read is offered once, with all of their names.
 */
export function placesOf(view: ConfigurationView, { value, except }: Offer): Place[] {
  const left = except && fileOf(view, except);
  const known = new Set<string>();
  return view.clients.flatMap((client) =>
    client.files
      .filter((file) => file.writable && (client.found || client.client === OWN))
      .filter((file) => left === undefined || !isSame(file, left))
      .toSorted((one, other) => other.precedence - one.precedence)
      .flatMap((file): Place[] => {
        const target: Target = { client: client.client, scope: file.scope };
        const key = fileKey(target);
        const section = `${file.path}\n${file.section}`;
        const isKnown = client.client !== OWN && known.has(section);
        if (client.client === OWN) known.add(section);
        if (isKnown && (value === null || key !== fileKey(value))) return [];
        return [{ key, target, file, label: labelOf(view, client, file) }];
      }),
  );
}

function isSame(one: ConfigFileView, other: ConfigFileView): boolean {
  return one.path === other.path && one.section === other.section;
}

function labelOf(view: ConfigurationView, client: ClientView, file: ConfigFileView): string {
  return TARGET.place(whoReads(view, client, file), whereItCounts(file), file.label);
}

function whoReads(view: ConfigurationView, { client, title }: ClientView, file: ConfigFileView) {
  if (client !== OWN) return title;
  const others = readersOf(view, file.path).map((other) => other.title);
  if (others.length > 0) return listOf(others);
  return file.scope === 'chimera' ? file.title : TARGET.ownAlone;
}

function whereItCounts({ scope, title, writer }: ConfigFileView): string {
  if (scope === 'local') return TARGET.onlyYou;
  if (scope === 'project' || scope === 'project-root' || scope === 'workspace') {
    return TARGET.thisProject;
  }
  if (scope === 'user' || scope === 'chimera') return TARGET.everyProject;
  const kind = title.toLowerCase();
  return writer === 'project' ? TARGET.ofProject(kind) : kind;
}

/**
 * The file that a new server is saved in where the user has not chosen one: `.mcp.json` where the
 * project has it or Claude Code is here, so that others read it too; else Sightglass's own.
 */
export function usualTarget(view: ConfigurationView): Target {
  const shared: Target = { client: OWN, scope: 'project-root' };
  const own: Target = { client: OWN, scope: 'project' };
  const file = fileOf(view, shared);
  if (file === undefined || !file.writable) return own;
  if (file.state === 'loaded') return shared;
  const isRead = readersOf(view, file.path).some(({ found }) => found);
  return file.state === 'missing' && isRead ? shared : own;
}
