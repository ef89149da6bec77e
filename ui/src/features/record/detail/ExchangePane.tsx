import { Bookmark, ChevronLeft, X } from 'lucide-react';
import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';
import { useBackend } from '@/backend/backend';
import type { ExchangeDetail, ExchangeId, ExchangeRow } from '@/backend/bindings';
import { asCommandError } from '@/backend/error';
import { Button, IconButton } from '@/components/Button';
import { EmptyState } from '@/components/EmptyState';
import { Menu } from '@/components/Menu';
import { Tabs } from '@/components/Tabs';
import { TextField } from '@/components/TextField';
import { formatCount } from '@/lib/format';
import { visibleText } from '@/lib/visible-text';
import { useRecordStore } from '@/state/record/recording';
import { StatusCell } from '../rows/StatusCell';
import type { Bookmarks } from '../rows/use-bookmarks';
import { BOOKMARK, DETAIL, PANELS } from '../texts';
import { CausesPanel, type GoTo } from './CausesPanel';
import styles from './exchange-pane.module.css';
import { HttpPanel, TimingPanel } from './FactPanels';
import { PayloadPanel, PreviewPanel, RawPanel } from './PayloadPanels';
import { useRowCommands } from './row-commands';
import { type Causes, useCausality } from './use-causality';

interface ExchangePaneProps {
  readonly id: ExchangeId;
  /** True if it stands in place of the table instead of beside it. */
  readonly isAlone: boolean;
  readonly bookmarks: Bookmarks;
  /** True for the program's own record, the bookmarks of which can be set. */
  readonly isOwn: boolean;
  readonly onClose: () => void;
  /** Selects a row that caused this one, or was caused by it. */
  readonly onSelect: GoTo;
  /** Shows a row in the tree of its operation. */
  readonly onShow: GoTo;
}

/** The details of one row. */
export function ExchangePane(props: ExchangePaneProps) {
  const { id, isAlone, bookmarks, isOwn, onClose, onSelect, onShow } = props;
  const { detail, failure } = useExchange(id, bookmarks.version);
  const { causes, failure: causesFailure } = useCausality(id);
  const pane = useRef<HTMLElement>(null);
  const [chosenTab, setChosenTab] = useState<PanelId>('preview');

  // Beside the table the table keeps the focus, so that the arrows still move.
  useEffect(() => {
    if (isAlone) pane.current?.querySelector<HTMLElement>('button')?.focus();
  }, [isAlone]);

  return (
    <section ref={pane} className="pane w-full edge-top" aria-label={DETAIL.label}>
      <header className={styles.header}>
        {isAlone && <IconButton icon={ChevronLeft} label={DETAIL.back} onPress={onClose} />}
        {detail && <Heading detail={detail} />}
        <span className="flex-1" />
        {detail && <Commands detail={detail} />}
        {detail && isOwn && <BookmarkButton row={detail.row} bookmarks={bookmarks} />}
        {!isAlone && <IconButton icon={X} label={DETAIL.close} onPress={onClose} />}
      </header>
      {detail && detail.row.bookmark !== null && (isOwn || detail.row.bookmark !== '') && (
        <div className={styles.bookmarkLine}>
          <NoteField
            key={detail.row.id}
            note={detail.row.bookmark}
            isAsked={bookmarks.writing === detail.row.id}
            onWrite={isOwn ? (note) => void bookmarks.write(detail.row.id, note) : null}
          />
        </div>
      )}
      {failure !== null && <Failure reason={failure} />}
      {detail && (
        <Panels
          detail={detail}
          causes={causes}
          chosen={chosenTab}
          onChoose={setChosenTab}
          causesPanel={
            <CausesPanel
              causes={causes}
              failure={causesFailure}
              onSelect={onSelect}
              onShow={onShow}
            />
          }
        />
      )}
    </section>
  );
}

function Heading({ detail: { row } }: { detail: ExchangeDetail }) {
  return (
    <h3 className={styles.heading}>
      <span className="mono">{visibleText(row.method)}</span>
      {row.target && <span className={`mono ${styles.target}`}>{visibleText(row.target)}</span>}
      <span className="mono">
        <StatusCell row={row} />
      </span>
    </h3>
  );
}

function Commands({ detail: { row } }: { detail: ExchangeDetail }) {
  const { requests, copies } = useRowCommands(row);
  return (
    <>
      {requests.map(({ id, title, run }) => (
        <Button key={id} variant="quiet" onPress={run}>
          {title}
        </Button>
      ))}
      <Menu
        label={DETAIL.copyRow}
        trigger={<Button variant="quiet">{DETAIL.copy}</Button>}
        groups={[copies]}
      />
    </>
  );
}

/** Puts a bookmark on the row, or takes it away. */
function BookmarkButton({ row, bookmarks }: { row: ExchangeRow; bookmarks: Bookmarks }) {
  const isMarked = row.bookmark !== null;
  return (
    <IconButton
      label={isMarked ? BOOKMARK.remove : BOOKMARK.add}
      className={isMarked ? styles.bookmarked : undefined}
      onPress={() => void (isMarked ? bookmarks.write(row.id, null) : bookmarks.add(row.id))}
    >
      <Bookmark size={14} fill={isMarked ? 'currentColor' : 'none'} />
    </IconButton>
  );
}

function Failure({ reason }: { reason: unknown }) {
  const { message, hint } = asCommandError(reason);
  return <EmptyState title={message}>{hint}</EmptyState>;
}

type PanelId = keyof typeof PANELS;

/** Returns the panels for a row of this kind, the most telling first. */
function panelsOf({ row, http }: ExchangeDetail): [PanelId, ...PanelId[]] {
  const withHttp: PanelId[] = http ? ['http'] : [];
  switch (row.kind) {
    case 'request':
      return ['preview', 'request', 'response', 'raw', 'timing', 'causes', ...withHttp];
    case 'http':
    case 'oauth':
      return ['http', 'request', 'response', 'raw', 'timing', 'causes'];
    case 'notification':
    case 'log':
      return ['message', 'raw', 'timing', 'causes', ...withHttp];
    case 'stderr':
    case 'phase':
      return ['message', 'timing', 'causes'];
  }
}

interface PanelsProps {
  readonly detail: ExchangeDetail;
  readonly causes: Causes | null;
  readonly chosen: PanelId;
  readonly onChoose: (panel: PanelId) => void;
  readonly causesPanel: ReactNode;
}

function Panels({ detail, causes, chosen, onChoose, causesPanel }: PanelsProps) {
  const panels = panelsOf(detail);
  // The same tab stays in front from row to row, where that row has it.
  const shown = panels.find((panel) => panel === chosen) ?? panels[0];
  return (
    <Tabs
      label={DETAIL.tabs}
      tabs={panels.map((panel) => ({ id: panel, title: titleOf(panel, causes) }))}
      selected={shown}
      onSelect={onChoose}
      isPanelFocusable={shown === 'timing' || shown === 'http'}
      classNames={CLASS_NAMES}
    >
      {shown === 'causes' ? causesPanel : <Panel panel={shown} detail={detail} />}
    </Tabs>
  );
}

/** The title of a panel; of the causes, with their number. */
function titleOf(panel: PanelId, causes: Causes | null): ReactNode {
  if (panel !== 'causes' || causes === null) return PANELS[panel];
  const count = causes.causality.causes.length + causes.causality.totalEffects;
  return (
    <>
      {PANELS[panel]} <span className="regular faint">{formatCount(count)}</span>
    </>
  );
}

const CLASS_NAMES = {
  tabs: 'stack fill',
  tabList: styles.tabList,
  tab: styles.tab,
  panel: 'stack fill overflow-hidden',
};

function Panel({ panel, detail }: { panel: Exclude<PanelId, 'causes'>; detail: ExchangeDetail }) {
  const { row, http } = detail;
  switch (panel) {
    case 'preview':
      return <PreviewPanel row={row} />;
    case 'request':
    case 'message':
      return <PayloadPanel row={row} label={PANELS[panel]} frame={row.requestFrame} part="" />;
    case 'response':
      return <PayloadPanel row={row} label={PANELS[panel]} frame={row.responseFrame} part="" />;
    case 'raw':
      return <RawPanel row={row} />;
    case 'timing':
      return <TimingPanel detail={detail} />;
    case 'http':
      return <HttpPanel http={http} />;
  }
}

/**
 * Loads the details of one row, again and again while its answer is not there, and again when
 * `version` moves. The one before stays until the next is loaded, so that moving from row to row
 * does not flash.
 */
function useExchange(id: ExchangeId, version: number) {
  const backend = useBackend();
  const record = useRecordStore();
  const [detail, setDetail] = useState<ExchangeDetail | null>(null);
  const [failure, setFailure] = useState<unknown>(null);
  const isPending = useRef(true);

  // biome-ignore lint/correctness/useExhaustiveDependencies: loads again with each version.
  useEffect(() => {
    let isOver = false;
    let isBusy = false;
    let isDirty = true;
    isPending.current = true;

    const load = async () => {
      if (isBusy) return;
      isBusy = true;
      while (isDirty && !isOver) {
        isDirty = false;
        try {
          const loaded = await backend.getTrafficDetail(id);
          if (isOver) return;
          isPending.current = loaded.row.outcome === 'pending';
          setDetail(loaded);
          setFailure(null);
        } catch (reason) {
          if (isOver) return;
          isPending.current = false;
          setDetail(null);
          setFailure(reason);
        }
      }
      isBusy = false;
    };

    void load();
    const unsubscribe = record.subscribe((state, before) => {
      if (state.revision === before.revision || !isPending.current) return;
      isDirty = true;
      void load();
    });
    return () => {
      isOver = true;
      unsubscribe();
    };
  }, [backend, record, id, version]);

  return { detail, failure };
}

/** The longest note, in characters, as the record takes it. */
const MAX_CHARACTERS = 2_000;

interface NoteFieldProps {
  readonly note: string;
  /** True if the note is to be written now. */
  readonly isAsked: boolean;
  /** Null where notes can only be read. */
  readonly onWrite: ((note: string) => void) | null;
}

/** The note of a bookmark. It is kept when Enter is pressed or the field is left. */
function NoteField({ note, isAsked, onWrite }: NoteFieldProps) {
  const [draft, setDraft] = useState(note);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => setDraft(note), [note]);
  useFocusWhen(isAsked, input);

  if (onWrite === null) {
    return note === '' ? null : <p className={styles.noteText}>{visibleText(note)}</p>;
  }
  const isTooLong = [...draft].length > MAX_CHARACTERS;
  const keep = () => {
    if (draft !== note && !isTooLong) onWrite(draft);
  };
  return (
    <TextField
      className={styles.noteField}
      label={BOOKMARK.note}
      hideLabel
      placeholder={BOOKMARK.placeholder}
      inputRef={input}
      value={draft}
      onChange={setDraft}
      onBlur={keep}
      onKeyDown={(event) => {
        if (event.key === 'Enter') keep();
        else if (event.key === 'Escape' && draft !== note) setDraft(note);
        else event.continuePropagation();
      }}
      error={isTooLong ? BOOKMARK.tooLong : undefined}
    />
  );
}

function useFocusWhen(isAsked: boolean, input: RefObject<HTMLInputElement | null>) {
  useEffect(() => {
    if (isAsked) input.current?.focus();
  }, [isAsked, input]);
}
