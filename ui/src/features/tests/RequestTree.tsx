import { ChevronDown, ChevronRight, Play } from 'lucide-react';
import { type DragEvent, type KeyboardEvent, useMemo, useState } from 'react';
import { ListBox, ListBoxItem, ListLayout, Virtualizer } from 'react-aria-components';
import { useBackend } from '@/backend/backend';
import type { RequestView } from '@/backend/bindings';
import { classes } from '@/components/classes';
import { Glyph } from '@/components/Glyph';
import { visibleText } from '@/lib/visible-text';
import { showError, showNote } from '@/state/notices';
import { runRequests, useRequestFiles } from '@/state/tests/request-files';
import styles from './tests.module.css';
import { REQUESTS } from './texts';
import { folderOf, folderOfLine, inFolder, linesOf, nameOf, statusOf, type TreeLine } from './tree';

const LAYOUT = { rowSize: 26 };
/** The type of what is dragged: the id of a line. */
const DRAGGED = 'application/x-sightglass-request';

interface RequestTreeProps {
  requests: readonly RequestView[];
  /** True if a search chose them, so that no folder stays closed. */
  isSearch: boolean;
}

/** The requests by their folders. */
export function RequestTree({ requests, isSearch }: RequestTreeProps) {
  const backend = useBackend();
  const selected = useRequestFiles((state) => state.selected);
  const select = useRequestFiles((state) => state.select);
  const selectFolder = useRequestFiles((state) => state.selectFolder);
  const [folded, setFolded] = useState<ReadonlySet<string>>(new Set());
  const lines = useMemo(
    () => linesOf(requests, isSearch ? new Set() : folded),
    [requests, folded, isSearch],
  );
  const toggle = (folder: string, isFolded: boolean) => {
    const next = new Set(folded);
    if (isFolded) next.add(folder);
    else next.delete(folder);
    setFolded(next);
  };
  const lineOf = (key: string) => lines.find((line) => line.id === key);
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const row = event.target instanceof Element ? event.target.closest('[role=option]') : null;
    const line = lineOf(row?.getAttribute('data-key') ?? '');
    if (line?.kind !== 'folder') return;
    if (event.key === 'ArrowLeft') toggle(line.folder, true);
    else if (event.key === 'ArrowRight') toggle(line.folder, false);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const moveTo = async (id: string, folder: string) => {
    const moved = folderOfLine(id);
    const path = moved ?? id;
    const target = inFolder(folder, nameOf(path));
    if (target === path || folder === moved) return;
    try {
      if (moved === null) {
        await backend.moveRequest(path, target);
        select(target);
      } else {
        await backend.moveRequestFolder(path, target);
        selectFolder(target);
      }
      showNote(REQUESTS.moved(folder || REQUESTS.rootFolder));
    } catch (reason) {
      showError(reason);
    }
  };
  const runFolder = (folder: string) =>
    void runRequests(backend, {
      selection: { paths: [folder], tag: null, server: null },
      update: false,
    });
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the rows in it take the pointer and the keys
    <div
      className="fill"
      onKeyDownCapture={onKeyDown}
      onDragStart={(event) => dragged(event)}
      onDragOver={(event) => {
        if (event.dataTransfer.types.includes(DRAGGED)) event.preventDefault();
      }}
      onDrop={(event) => {
        const id = event.dataTransfer.getData(DRAGGED);
        const row = event.target instanceof Element ? event.target.closest('[data-folder]') : null;
        if (id) void moveTo(id, row?.getAttribute('data-folder') ?? '');
      }}
    >
      <Virtualizer layout={ListLayout} layoutOptions={LAYOUT}>
        <ListBox
          aria-label={REQUESTS.tree}
          className="h-full scroll no-outline"
          selectionMode="single"
          selectionBehavior="replace"
          disallowEmptySelection
          selectedKeys={selected === null ? [] : [selected]}
          renderEmptyState={() => (
            <p className="pad-x-6 pad-y-6 faint">{REQUESTS.nothingMatches}</p>
          )}
          onSelectionChange={(keys) => {
            const [key] = keys === 'all' ? [] : [...keys].map(String);
            const line = lineOf(key ?? '');
            if (line?.kind === 'request') select(line.request.path);
            else if (line) {
              toggle(line.folder, !folded.has(line.folder));
              selectFolder(line.folder);
            }
          }}
        >
          {lines.map((line) =>
            line.kind === 'folder' ? (
              <FolderRow
                key={line.id}
                line={line}
                isFolded={!isSearch && folded.has(line.folder)}
                onRun={runFolder}
              />
            ) : (
              <RequestRow key={line.id} line={line} />
            ),
          )}
        </ListBox>
      </Virtualizer>
    </div>
  );
}

function dragged(event: DragEvent): void {
  const row = event.target instanceof Element ? event.target.closest('[data-line]') : null;
  const id = row?.getAttribute('data-line');
  if (!id) return;
  event.dataTransfer.setData(DRAGGED, id);
  event.dataTransfer.effectAllowed = 'move';
}

interface FolderRowProps {
  line: Extract<TreeLine, { kind: 'folder' }>;
  isFolded: boolean;
  onRun(folder: string): void;
}

function FolderRow({ line, isFolded, onRun }: FolderRowProps) {
  const Chevron = isFolded ? ChevronRight : ChevronDown;
  return (
    <ListBoxItem
      id={line.id}
      textValue={line.name}
      aria-label={`${line.name}, ${line.count}`}
      className={classes(styles.row, styles.folder)}
      data-folds
    >
      <span
        className={styles.line}
        draggable
        data-line={line.id}
        data-folder={line.folder}
        style={{ paddingLeft: 8 + line.depth * 14 }}
      >
        <Chevron size={11} aria-hidden="true" />
        <span className={styles.name}>{visibleText(line.name)}</span>
        <span className="text-small faint">{line.count}</span>
        {/* For the mouse; the pane of the folder has the same for the keyboard. */}
        <span
          aria-hidden="true"
          className={styles.runFolder}
          title={REQUESTS.runFolder(line.name)}
          onPointerDown={(event) => event.stopPropagation()}
          onMouseDown={(event) => event.stopPropagation()}
          onClick={(event) => {
            event.stopPropagation();
            onRun(line.folder);
          }}
        >
          <Play size={11} />
        </span>
      </span>
    </ListBoxItem>
  );
}

function RequestRow({ line }: { line: Extract<TreeLine, { kind: 'request' }> }) {
  const { request } = line;
  const report = useRequestFiles((state) => state.reports[request.path]);
  const isRunning = useRequestFiles((state) => state.run?.active.has(request.path) ?? false);
  const status = statusOf(request, report, isRunning);
  const name = visibleText(request.name);
  return (
    <ListBoxItem
      id={line.id}
      textValue={name}
      aria-label={`${name}, ${status.label}`}
      className={classes(styles.row)}
    >
      <span
        className={styles.line}
        draggable
        data-line={line.id}
        data-folder={folderOf(request.path)}
        style={{ paddingLeft: 8 + line.depth * 14 }}
        title={request.path}
      >
        <Glyph glyph={status.glyph} tone={status.tone} />
        <span className={styles.name}>{name}</span>
        <span className={classes('text-small faint', styles.subject)}>
          {visibleText(request.subject ?? request.method)}
        </span>
      </span>
    </ListBoxItem>
  );
}
