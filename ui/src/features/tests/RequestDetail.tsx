import { MoreHorizontal, Play } from 'lucide-react';
import { useState } from 'react';
import { useBackend } from '@/backend/backend';
import type { RequestTextView, RequestView } from '@/backend/bindings';
import { Button, IconButton } from '@/components/Button';
import { EmptyState } from '@/components/EmptyState';
import { Glyph } from '@/components/Glyph';
import { ListDetail } from '@/components/list-detail/ListDetail';
import { Menu } from '@/components/Menu';
import { visibleText } from '@/lib/visible-text';
import { runRequests, useRequestFiles } from '@/state/tests/request-files';
import { Answer } from './Answer';
import { Checks } from './Checks';
import { DeleteDialog, MoveDialog, MoveFolderDialog, RenameRequestDialog } from './FileDialogs';
import { RequestEditor } from './RequestEditor';
import styles from './tests.module.css';
import { REQUESTS } from './texts';
import { useRequestText } from './use-request-text';
import { statusOf } from './verdict';

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
            <Play size={12} aria-hidden="true" />
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
          <Play size={12} aria-hidden="true" />
          {REQUESTS.run}
        </Button>
        <Menu
          label={REQUESTS.more}
          trigger={
            <IconButton label={REQUESTS.more}>
              <MoreHorizontal size={15} aria-hidden="true" />
            </IconButton>
          }
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
