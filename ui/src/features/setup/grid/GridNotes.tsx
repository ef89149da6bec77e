import type { Client, ConfigFileView, ConfigurationView, Target } from '@/backend/bindings';
import { Banner } from '@/components/Banner';
import { Button } from '@/components/Button';
import { EmptyState } from '@/components/EmptyState';
import { visibleText } from '@/lib/visible-text';
import { useDialogs } from '@/state/dialogs';
import { clientOf, readersOf, titleOf } from '@/state/setup/configuration';
import { editConfig } from '@/state/setup/setup-view';
import { RepairFile } from '@/widgets/failure/RepairFile';
import styles from './config-grid.module.css';
import { BROKEN, GRID, NO_ROWS } from './texts';

/** A file that cannot be read, and who reads it. */
interface BrokenFile {
  target: Target;
  file: ConfigFileView;
  readers: readonly string[];
}

/**
 * Returns the files that cannot be read, of one client or of all of them: a file that several
 * clients read is named once.
 */
export function brokenFilesOf(
  view: ConfigurationView,
  client: Client | null,
): readonly BrokenFile[] {
  const named = new Set<string>();
  return view.clients
    .filter((known) => client === null || known.client === client)
    .flatMap(({ client: owner, title, files }) =>
      files
        .filter(({ state }) => state === 'broken' || state === 'unreadable')
        .flatMap((file): BrokenFile[] => {
          if (named.has(file.path)) return [];
          named.add(file.path);
          const others = owner === 'mcp-json' ? readersOf(view, file.path) : [];
          const readers = [{ client: owner, title }, ...others].map(titleOf);
          return [{ target: { client: owner, scope: file.scope }, file, readers }];
        }),
    );
}

/** Names each file whose servers are missing below, with the place of its first mistake. */
export function BrokenFiles({ files }: { files: readonly BrokenFile[] }) {
  return files.map(({ target, file, readers }) => {
    const [first] = file.problems;
    return (
      <Banner
        key={file.path}
        tone="bad"
        actions={
          first && (
            <>
              <RepairFile file={{ target, problems: file.problems }} variant="plain" />
              <Button onPress={() => editConfig({ target, name: null, place: first })}>
                {BROKEN.openAt(first.line)}
              </Button>
            </>
          )
        }
      >
        <code title={file.path}>{file.label}</code> {BROKEN.cannotBeRead(readers)}{' '}
        {visibleText(first ? first.message : (file.unreadable ?? ''))}
      </Banner>
    );
  });
}

interface NoRowsProps {
  isFiltered: boolean;
  /** Some of the files cannot be read, so that nobody knows what they define. */
  isBroken: boolean;
  /** The clients whose files are meant, where they are not to be seen. */
  of?: readonly string[];
  onClear: () => void;
}

/** The text of a grid that has no rows. */
export function NoRows({ isFiltered, isBroken, of, onClear }: NoRowsProps) {
  const show = useDialogs((state) => state.show);
  return (
    <div className="fill scroll">
      {isFiltered ? (
        <EmptyState
          title={NO_ROWS.noMatch}
          action={<Button onPress={onClear}>{NO_ROWS.showAll}</Button>}
        >
          {NO_ROWS.searched}
        </EmptyState>
      ) : (
        <EmptyState
          title={isBroken ? BROKEN.title : NO_ROWS.title}
          action={
            <>
              <Button variant="primary" onPress={() => show({ kind: 'add-server' })}>
                {NO_ROWS.add}
              </Button>
              <Button onPress={() => show({ kind: 'import-servers' })}>{NO_ROWS.import}</Button>
            </>
          }
        >
          {isBroken ? BROKEN.hint : of ? NO_ROWS.hintOf(of) : NO_ROWS.hint}
        </EmptyState>
      )}
    </div>
  );
}

/** The rule by which these files override each other. */
export function Precedence({ view, client }: { view: ConfigurationView; client: Client }) {
  return (
    <p className={styles.precedence}>
      {view.policy.length > 0 && (
        <span className="warn" title={view.policy.map(({ rule }) => rule).join('\n')}>
          ⊘ {GRID.policy(view.policy.length)}{' '}
        </span>
      )}
      {clientOf(view, client)?.precedence}
    </p>
  );
}
