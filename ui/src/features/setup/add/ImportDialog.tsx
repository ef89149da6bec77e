import { useMemo, useState } from 'react';
import { useBackend } from '@/backend/backend';
import type {
  ConfigAction,
  ConfigServerView,
  ConfigurationView,
  ConflictChoice,
  Draft,
  ImportedServer,
  Target,
} from '@/backend/bindings';
import { Checkbox } from '@/components/Checkbox';
import { Confirmed } from '@/components/Confirmed';
import { EmptyState } from '@/components/EmptyState';
import { useAsyncEffect } from '@/components/use-async-effect';
import { withMembers } from '@/lib/sets';
import { entirelyVisible } from '@/lib/visible-text';
import { showError } from '@/state/notices';
import { fileTitle, serverOf, useConfiguration } from '@/state/setup/configuration';
import { ChangeDialog } from '../change/ChangeDialog';
import { TargetField } from '../change/TargetField';
import { fileKey } from '../grid/file-rows';
import styles from './add.module.css';
import { ServerTick, WhereTaken } from './ServerTick';
import { IMPORT, NAME_IS_TAKEN } from './texts';

/** A file of a client, and what it defines. */
interface ImportSource {
  target: Target;
  path: string;
  servers: { name: string; source: ConfigServerView }[];
}

const LOCAL: Target = { client: 'mcp-json', scope: 'local' };

interface ImportDialogProps {
  /** The servers that are ticked at first. */
  chosen?: readonly ImportedServer[];
}

/** Takes servers over from every client that was found on this computer. */
export function ImportDialog({ chosen: first = [] }: ImportDialogProps) {
  const view = useConfiguration((state) => state.view);
  const [target, setTarget] = useState(LOCAL);
  const [taken, setTaken] = useState<ReadonlySet<string>>(
    () => new Set(first.map(({ target: source, name }) => itemKey(source, name))),
  );
  const [conflict, setConflict] = useState<ConflictChoice>('keepBoth');

  const sources = useMemo(() => sourcesOf(view, target), [view, target]);
  const chosen = sources.flatMap((source) =>
    source.servers
      .filter(({ name }) => taken.has(itemKey(source.target, name)))
      .map(({ name }) => ({ target: source.target, name })),
  );
  const drafts = useDrafts(chosen);
  const exists = (name: string) =>
    serverOf(view, target.client, name)?.cells.some(({ scope }) => scope === target.scope) === true;
  const names = chosen.map(({ name }) => name);
  const isTwice = (name: string) => names.indexOf(name) !== names.lastIndexOf(name);
  const hasConflict = names.some((name) => exists(name) || isTwice(name));
  // Of two with one name, the second replaces the first or is skipped.
  const distinct = [...new Set(names)];
  const added = {
    refuse: names.length,
    keepBoth: names.length,
    replace: distinct.length,
    skip: distinct.filter((name) => !exists(name)).length,
  }[conflict];
  const action: ConfigAction | null =
    drafts === null || drafts.length === 0
      ? null
      : {
          type: 'import',
          target,
          items: drafts.map(({ source, draft }) => ({ draft, conflict, source })),
        };
  const toggle = (keys: readonly string[], isTaken: boolean) =>
    setTaken(withMembers(taken, keys, isTaken));

  return (
    <ChangeDialog
      title={IMPORT.title}
      verb={IMPORT.verb(added)}
      action={action}
      placeholder={IMPORT.hint}
    >
      <TargetField label={IMPORT.into} value={target} onChange={setTarget} />
      {sources.length === 0 && <EmptyState title={IMPORT.none}>{IMPORT.noneHint}</EmptyState>}
      <div>
        {sources.map((source) => {
          const keys = source.servers.map(({ name }) => itemKey(source.target, name));
          const title = entirelyVisible(fileTitle(view, source.target));
          return (
            <section key={fileKey(source.target)} className={styles.source} aria-label={title}>
              <div className={styles.sourceHead}>
                <h3>{title}</h3>
                <Confirmed text={source.path} />
              </div>
              {keys.length > 1 && (
                <Checkbox
                  isSelected={keys.every((key) => taken.has(key))}
                  onChange={(isTaken) => toggle(keys, isTaken)}
                >
                  <span className={styles.remark}>{IMPORT.all(keys.length)}</span>
                </Checkbox>
              )}
              <ul className="stack plain-list">
                {source.servers.map(({ name, source: server }) => {
                  const key = itemKey(source.target, name);
                  return (
                    <ServerTick
                      key={name}
                      name={name}
                      summary={server.scope === source.target.scope ? server.summary : null}
                      isSelected={taken.has(key)}
                      caution={
                        exists(name)
                          ? NAME_IS_TAKEN
                          : isTwice(name) && taken.has(key) && IMPORT.twice
                      }
                      onChange={(isTaken) => toggle([key], isTaken)}
                    />
                  );
                })}
              </ul>
            </section>
          );
        })}
      </div>
      {hasConflict && <WhereTaken value={conflict} onChange={setConflict} />}
    </ChangeDialog>
  );
}

function itemKey(target: Target, name: string): string {
  return `${fileKey(target)}\n${name}`;
}

/** The files of clients beside the target's own that define a server. */
function sourcesOf(view: ConfigurationView, target: Target): ImportSource[] {
  return view.clients
    .filter(({ client }) => client !== target.client)
    .flatMap(({ client, files, servers }) =>
      files.map(({ scope, path }) => ({
        target: { client, scope },
        path,
        servers: servers
          .filter(({ cells }) => cells.some((cell) => cell.scope === scope))
          .map((source) => ({ name: source.name, source })),
      })),
    )
    .filter(({ servers }) => servers.length > 0);
}

/** A server of a client, as the form has it. */
interface Chosen {
  source: ImportedServer;
  draft: Draft;
}

/** Returns the drafts of the chosen definitions; null while they are being loaded. */
function useDrafts(chosen: readonly ImportedServer[]): readonly Chosen[] | null {
  const backend = useBackend();
  const [drafts, setDrafts] = useState<readonly Chosen[] | null>([]);
  const asked = JSON.stringify(chosen);
  useAsyncEffect(() => {
    setDrafts(null);
    const sources = JSON.parse(asked) as ImportedServer[];
    const draftOf = async (source: ImportedServer) => ({
      source,
      draft: await backend.getDefinitionDraft(source.target, source.name),
    });
    return {
      start: () => Promise.all(sources.map(draftOf)),
      onValue: setDrafts,
      onError: showError,
    };
  }, [backend, asked]);
  return drafts;
}
