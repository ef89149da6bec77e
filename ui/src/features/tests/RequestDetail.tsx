import { MoreHorizontal, Play } from 'lucide-react';
import { useState } from 'react';
import { useBackend } from '@/backend/backend';
import type { RequestProblem, RequestTextView, RequestView } from '@/backend/bindings';
import { Button, IconButton } from '@/components/Button';
import { EmptyState } from '@/components/EmptyState';
import { Glyph } from '@/components/Glyph';
import type { EditorProblem } from '@/components/json-editor/editor-props';
import { JsonEditor } from '@/components/json-editor/JsonEditor';
import { ListDetail } from '@/components/list-detail/ListDetail';
import { Menu } from '@/components/Menu';
import { Section } from '@/components/Section';
import { useAsyncEffect } from '@/components/use-async-effect';
import { visibleText } from '@/lib/visible-text';
import { showError, showNote } from '@/state/notices';
import { runRequests, useRequestFiles } from '@/state/tests/request-files';
import { Answer } from './Answer';
import { Checks } from './Checks';
import { DeleteDialog, MoveDialog, MoveFolderDialog, RenameRequestDialog } from './FileDialogs';
import styles from './tests.module.css';
import { REQUESTS } from './texts';
import { statusOf } from './tree';

/** The selected request: its file, its checks and its answer. */
export function RequestDetail() {
  const selected = useRequestFiles((state) => state.selected);
  const request = useRequestFiles((state) =>
    state.view?.requests.find(({ path }) => path === selected),
  );
  const folder = useRequestFiles((state) => state.folder);
  if (!request) {
    if (folder !== null) return <FolderDetail key={folder} folder={folder} />;
    return <EmptyState title={REQUESTS.selectOne} />;
  }
  return <Detail key={request.path} request={request} />;
}

/** The selected folder, to run what is in it. */
function FolderDetail({ folder }: { folder: string }) {
  const backend = useBackend();
  const [isMoving, setIsMoving] = useState(false);
  const isRunning = useRequestFiles((state) => state.run?.isRunning ?? false);
  const count = useRequestFiles(
    (state) => state.view?.requests.filter(({ path }) => path.startsWith(`${folder}/`)).length ?? 0,
  );
  return (
    <EmptyState
      title={visibleText(folder)}
      action={
        <>
          <Button
            variant="primary"
            isDisabled={isRunning || count === 0}
            onPress={() =>
              void runRequests(backend, {
                selection: { paths: [folder], tag: null, server: null },
                update: false,
              })
            }
          >
            <Play size={12} />
            {REQUESTS.runShown(count)}
          </Button>
          <Button onPress={() => setIsMoving(true)}>{REQUESTS.moveFolder}</Button>
        </>
      }
    >
      {REQUESTS.folderMeaning}
      {isMoving && <MoveFolderDialog folder={folder} onClose={() => setIsMoving(false)} />}
    </EmptyState>
  );
}

const PANES = [
  { id: 'file', min: 240 },
  { id: 'answer', min: 240 },
] as const;

type OpenDialog = 'rename' | 'move' | 'delete' | null;

function Detail({ request }: { request: RequestView }) {
  const backend = useBackend();
  const report = useRequestFiles((state) => state.reports[request.path]);
  const isRunning = useRequestFiles((state) => state.run?.isRunning ?? false);
  const isActive = useRequestFiles((state) => state.run?.active.has(request.path) ?? false);
  const text = useRequestText(request);
  const [dialog, setDialog] = useState<OpenDialog>(null);
  const status = statusOf(request, report, isActive);
  const run = async (update: boolean) => {
    if (text.hasChanges && !(await text.save())) return;
    await runRequests(backend, {
      selection: { paths: [request.path], tag: null, server: null },
      update,
    });
  };
  const onSaved = (view: RequestTextView) => text.replace(view);
  return (
    <section className="pane" aria-label={request.name}>
      <header className="bar gap-4 pad-x-7 pad-y-4">
        <div className="grow">
          <h2 className="truncate text-title">{visibleText(request.name)}</h2>
          <p className={styles.facts}>
            <span className={styles.status}>
              <Glyph glyph={status.glyph} tone={status.tone} /> {status.label}
            </span>
            <span className="mono">{visibleText(request.method)}</span>
            {request.subject !== null && (
              <span className="mono">{visibleText(request.subject)}</span>
            )}
            <span>{visibleText(request.server)}</span>
            {request.tags.map((tag) => (
              <span key={tag} className="pad-x-3 pad-y-0 frame-field text-small">
                {visibleText(tag)}
              </span>
            ))}
          </p>
        </div>
        <Button
          variant="primary"
          isDisabled={isRunning || text.problems.length > 0}
          onPress={() => void run(false)}
        >
          <Play size={12} />
          {REQUESTS.run}
        </Button>
        <Menu
          label={REQUESTS.more}
          trigger={<IconButton icon={MoreHorizontal} label={REQUESTS.more} />}
          groups={[
            [
              {
                id: 'update',
                title: REQUESTS.updateSnapshots,
                isDisabled: isRunning,
                run: () => void run(true),
              },
            ],
            [
              { id: 'rename', title: REQUESTS.rename, run: () => setDialog('rename') },
              { id: 'move', title: REQUESTS.move, run: () => setDialog('move') },
            ],
            [
              {
                id: 'delete',
                title: REQUESTS.delete,
                isDangerous: true,
                run: () => setDialog('delete'),
              },
            ],
          ]}
        />
      </header>
      <div className="fill">
        <ListDetail name="test" panes={PANES}>
          <div className="h-full scroll">
            <Checks request={request} report={report} text={text.view} onChanged={onSaved} />
            <RequestEditor text={text} />
          </div>
          <div className="h-full scroll">
            <Answer request={request} report={report} onChanged={onSaved} />
          </div>
        </ListDetail>
      </div>
      {dialog === 'rename' && (
        <RenameRequestDialog request={request} onClose={() => setDialog(null)} />
      )}
      {dialog === 'move' && <MoveDialog request={request} onClose={() => setDialog(null)} />}
      {dialog === 'delete' && <DeleteDialog request={request} onClose={() => setDialog(null)} />}
    </section>
  );
}

/** The file of a request, to be read and changed. */
function RequestEditor({ text }: { text: RequestText }) {
  if (!text.view) return null;
  const problems: EditorProblem[] = text.problems.map((problem) => ({
    ...problem,
    severity: 'error',
  }));
  return (
    <Section
      title={REQUESTS.file}
      aside={
        <span className="row-inline gap-3">
          <span className="text-small faint" role="status">
            {text.hasChanges ? REQUESTS.unsaved : ''}
          </span>
          {text.hasChanges && (
            <>
              <Button variant="quiet" onPress={text.discard}>
                {REQUESTS.discard}
              </Button>
              <Button onPress={() => void text.save()}>{REQUESTS.save}</Button>
            </>
          )}
        </span>
      }
    >
      <p className="mb-3 break-anywhere text-small faint">
        <code>{text.view.path}</code>
      </p>
      {problems.map(({ line, column, message }) => (
        <p key={`${line}:${column}`} className={styles.failure}>
          ✕ {line}:{column} {message}
        </p>
      ))}
      <div className="frame-field">
        <JsonEditor
          label={REQUESTS.text}
          language="toml"
          lineNumbers
          value={text.text}
          onChange={text.change}
          problems={problems}
          minimumLines={8}
        />
      </div>
    </Section>
  );
}

/** Milliseconds after the last key before a text is looked at. */
const CHECK_DELAY = 150;

/** The text of a request under edit. */
interface RequestText {
  /** As it is in the file; absent while it is read. */
  view: RequestTextView | null;
  text: string;
  problems: readonly RequestProblem[];
  hasChanges: boolean;
  change(text: string): void;
  discard(): void;
  /** Takes over a file that was changed otherwise. */
  replace(view: RequestTextView): void;
  /** Tells whether it was saved. */
  save(): Promise<boolean>;
}

/** Texts that were not saved, by path: they outlive a look at something else. */
const drafts = new Map<string, string>();

/** Reads the text of a request, follows its file, and keeps what the user makes of it. */
function useRequestText(request: RequestView): RequestText {
  const backend = useBackend();
  const { path } = request;
  const [view, setView] = useState<RequestTextView | null>(null);
  const [draft, setDraft] = useState<string | null>(drafts.get(path) ?? null);
  const [problems, setProblems] = useState<readonly RequestProblem[]>(request.problems);
  const change = (text: string | null) => {
    if (text === null || text === view?.text) {
      drafts.delete(path);
      setDraft(null);
    } else {
      drafts.set(path, text);
      setDraft(text);
    }
  };
  // `request` is another object whenever a file changed.
  useAsyncEffect(
    () => ({
      start: () => backend.getRequestText(request.path),
      onValue: (read) => {
        setView(read);
        setProblems(read.request.problems);
      },
      onError: showError,
    }),
    [backend, request],
  );
  useAsyncEffect(
    () =>
      draft === null
        ? null
        : {
            start: () => backend.checkRequest(path, draft),
            onValue: (checked) => setProblems(checked.request.problems),
            delay: CHECK_DELAY,
          },
    [backend, path, draft],
  );
  const replace = (read: RequestTextView) => {
    setView(read);
    setProblems(read.request.problems);
    change(null);
  };
  return {
    view,
    text: draft ?? view?.text ?? '',
    problems,
    hasChanges: draft !== null,
    change,
    discard: () => {
      change(null);
      setProblems(view?.request.problems ?? []);
    },
    replace,
    save: async () => {
      if (draft === null || !view) return false;
      try {
        replace(await backend.updateRequest(path, draft, view.hash));
        showNote(REQUESTS.saved);
        return true;
      } catch (reason) {
        showError(reason);
        return false;
      }
    },
  };
}
