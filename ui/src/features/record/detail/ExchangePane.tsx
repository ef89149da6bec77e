import { Bookmark, ChevronLeft, X } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { ExchangeDetail, ExchangeId, ExchangeRow } from '@/backend/bindings';
import { asCommandError } from '@/backend/error';
import { Button, IconButton } from '@/components/Button';
import { EmptyState } from '@/components/EmptyState';
import { Menu } from '@/components/Menu';
import { Tabs } from '@/components/Tabs';
import { formatCount } from '@/lib/format';
import { visibleText } from '@/lib/visible-text';
import { StatusCell } from '../rows/StatusCell';
import type { Bookmarks } from '../rows/use-bookmarks';
import { BOOKMARK, DETAIL, PANELS } from '../texts';
import { CausesPanel, type GoTo } from './CausesPanel';
import styles from './exchange-pane.module.css';
import { HttpPanel } from './HttpPanel';
import { NoteField } from './NoteField';
import { PayloadPanel } from './PayloadPanel';
import { PreviewPanel } from './PreviewPanel';
import { RawPanel } from './RawPanel';
import { useRowCommands } from './row-commands';
import { TimingPanel } from './TimingPanel';
import { type Causes, useCausality } from './use-causality';
import { useExchange } from './use-exchange';

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
        {isAlone && (
          <IconButton label={DETAIL.back} onPress={onClose}>
            <ChevronLeft size={14} aria-hidden="true" />
          </IconButton>
        )}
        {detail && <Heading detail={detail} />}
        <span className="flex-1" />
        {detail && <Commands detail={detail} />}
        {detail && isOwn && <BookmarkButton row={detail.row} bookmarks={bookmarks} />}
        {!isAlone && (
          <IconButton label={DETAIL.close} onPress={onClose}>
            <X size={14} aria-hidden="true" />
          </IconButton>
        )}
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
      <Bookmark size={14} fill={isMarked ? 'currentColor' : 'none'} aria-hidden="true" />
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
