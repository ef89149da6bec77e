import {
  ChevronDown,
  ChevronRight,
  Maximize2,
  Minimize2,
  MoreHorizontal,
  Play,
} from 'lucide-react';
import type { RefObject } from 'react';
import { Button as AriaButton } from 'react-aria-components';
import type { ExchangeKind, SessionView } from '@/backend/bindings';
import { Button, IconButton } from '@/components/Button';
import { Menu, type MenuEntry } from '@/components/Menu';
import { Popup } from '@/components/Popup';
import { TabList } from '@/components/TabList';
import { ToggleButton } from '@/components/ToggleButton';
import { Tooltip } from '@/components/Tooltip';
import { formatCount } from '@/lib/format';
import { visibleText } from '@/lib/visible-text';
import { useRecord } from '@/state/record/recording';
import { FilterField, type MessagesAtHand } from '../filter/FilterField';
import { KINDS, toggleKind } from '../filter/kinds';
import {
  DRAWER_VIEWS,
  type DrawerView,
  isNarrowed,
  isOfMessages,
  type Selection,
} from '../filter/selection';
import type { RowsInView } from '../rows/record-rows';
import { useRows } from '../rows/use-record-rows';
import { BAR, matchText } from '../texts';
import styles from './traffic-bar.module.css';

const VIEWS = DRAWER_VIEWS.map((id) => ({ id, title: BAR.views[id] }));

const TAB_CLASSES = { tabList: styles.tabs, tab: styles.tab };

/** The room of the bar. */
export type BarRoom = 'wide' | 'narrow';

interface TrafficBarProps {
  readonly isOpen: boolean;
  /** The opened session whose record is shown. */
  readonly session: SessionView | null;
  readonly onToggle: () => void;
  readonly room: BarRoom;
  readonly rows: RowsInView;
  /** The messages whose methods and tools are offered for the filter. */
  readonly atHand: MessagesAtHand;
  readonly view: DrawerView;
  readonly onViewChange: (view: DrawerView) => void;
  /** The text in the field, of which `selection` holds what was last asked for. */
  readonly filter: string;
  readonly onFilterChange: (filter: string) => void;
  readonly selection: Selection;
  readonly onSelectionChange: (change: Partial<Selection>) => void;
  /** The server that "this server" means. */
  readonly server: { readonly id: string; readonly name: string } | null;
  readonly filterInput: RefObject<HTMLInputElement | null>;
  readonly onLeaveFilter: () => void;
  /** Groups of the menu that copies, exports and clears. */
  readonly menu: readonly (readonly MenuEntry[])[];
  /** The tabs and their panels are named after it. */
  readonly id: string;
  readonly isMaximised: boolean;
  readonly onMaximise: () => void;
}

/** The line above the rows: which rows, how many, and what to do with them. */
export function TrafficBar(props: TrafficBarProps) {
  const { isOpen, rows, filter, session } = props;
  const problem = useRows(rows, () => (rows.filterAnswered === filter ? rows.problem : null));
  return (
    <div className={styles.bar}>
      <AriaButton
        className={styles.toggle}
        aria-label={session === null ? BAR.title : BAR.ofSession(visibleText(session.name))}
        aria-expanded={isOpen}
        onPress={props.onToggle}
      >
        {isOpen ? <ChevronDown size={13} /> : <ChevronRight size={13} />}
        {session !== null && <bdi className="truncate">{visibleText(session.name)}</bdi>}
      </AriaButton>
      <TabList
        id={props.id}
        label={BAR.view}
        tabs={VIEWS}
        selected={isOpen ? props.view : null}
        onSelect={props.onViewChange}
        classNames={TAB_CLASSES}
      />
      {isOpen && (
        <FilterField
          value={filter}
          onChange={props.onFilterChange}
          problem={problem}
          inputRef={props.filterInput}
          onLeave={props.onLeaveFilter}
          rows={props.atHand}
        />
      )}
      <Counts
        rows={rows}
        view={props.view}
        isFiltered={isOpen && isNarrowed(props.selection)}
        isOpen={isOpen}
        room={props.room}
      />
      {isOpen && (
        <div className="flex flex-none">
          <ShowButton {...props} />
          <Commands {...props} />
        </div>
      )}
    </div>
  );
}

/** The choices of rows, behind one button that counts those that are not as they are at first. */
function ShowButton(props: TrafficBarProps) {
  const { kinds, invert, server, phases, checks } = props.selection;
  const chosen = [kinds.length > 0, invert, server !== null, phases, checks].filter(Boolean);
  return (
    <Popup
      label={BAR.choices}
      placement="top end"
      classNames={{ popover: styles.popover, dialog: styles.dialog }}
      trigger={
        <Button variant="quiet">
          {BAR.show}
          {chosen.length > 0 && <span className="figures warn">{BAR.shown(chosen.length)}</span>}
          <ChevronDown size={12} />
        </Button>
      }
    >
      <Choices {...props} />
    </Popup>
  );
}

function Choices({ rows, view, selection, onSelectionChange, server }: TrafficBarProps) {
  const canInvert = selection.filter.trim() !== '';
  return (
    <>
      <ToggleButton
        isSelected={selection.phases}
        onChange={(phases) => onSelectionChange({ phases })}
      >
        {BAR.quiet}
      </ToggleButton>
      <ChecksToggle rows={rows} selection={selection} onSelectionChange={onSelectionChange} />
      {server && (
        <ToggleButton
          isSelected={selection.server !== null}
          onChange={(only) => onSelectionChange({ server: only ? server.id : null })}
        >
          {BAR.thisServer}
        </ToggleButton>
      )}
      <ToggleButton
        isSelected={selection.invert && canInvert}
        isDisabled={!canInvert}
        onChange={(invert) => onSelectionChange({ invert })}
      >
        {BAR.invert}
      </ToggleButton>
      {view !== 'log' && (
        <KindChips kinds={selection.kinds} onChange={(kinds) => onSelectionChange({ kinds })} />
      )}
    </>
  );
}

/** The number of messages of checks, which are hidden until they are asked for. */
function ChecksToggle({
  rows,
  selection,
  onSelectionChange,
}: Pick<TrafficBarProps, 'rows' | 'selection' | 'onSelectionChange'>) {
  const count = useRows(rows, () => rows.ofChecks);
  // One server is that of its own connections; those that check it have another name.
  const isHidden = count === 0 || selection.server !== null;
  if (isHidden && !selection.checks) return null;
  return (
    <Tooltip text={BAR.checksMeaning(count)}>
      <ToggleButton
        isSelected={selection.checks}
        onChange={(checks) => onSelectionChange({ checks })}
      >
        {BAR.checks}
      </ToggleButton>
    </Tooltip>
  );
}

interface CountsProps {
  readonly rows: RowsInView;
  readonly view: DrawerView;
  readonly isFiltered: boolean;
  readonly isOpen: boolean;
  readonly room: BarRoom;
}

function Counts({ rows, view, isFiltered, isOpen, room }: CountsProps) {
  const frames = useRecord((state) => state.revision.frames);
  const dropped = useRecord((state) => state.recording.dropped);
  const off = useRecord((state) => state.recording.off);
  const count = useRows(rows, () => rows.count);
  const complete = useRows(rows, () => rows.complete);
  const of = useRows(rows, () => rows.of);
  const oldest = useRows(rows, () => rows.oldest);
  const matching = isFiltered ? matchText(count, of, complete) : null;
  if (off !== null) {
    return (
      <p className={styles.counts} data-alarming title={off}>
        <span aria-hidden="true">▲ </span>
        {BAR.off(dropped)}
      </p>
    );
  }
  // An open drawer says so itself, and more.
  if (frames === 0 && !isOpen) return <p className={styles.counts}>{BAR.none}</p>;
  const showsOperations = isOpen && !isOfMessages(view);
  const operations = matching ?? BAR.calls(count, complete);
  const operationCount = oldest === null ? operations : BAR.since(operations, oldest);
  if (room === 'narrow') {
    const messages = isOpen ? formatCount(frames) : BAR.messages(frames);
    const shown = showsOperations ? operations : (matching ?? messages);
    return <p className={styles.counts}>{shown}</p>;
  }
  return (
    <p className={styles.counts}>
      {showsOperations
        ? operationCount
        : (matching ?? (isOpen && view === 'log' ? BAR.lines(count) : BAR.messages(frames)))}
      {dropped > 0 && (
        <>
          {' '}
          · <span data-alarming>{BAR.dropped(dropped)}</span>
        </>
      )}
    </p>
  );
}

function Commands({ rows, isMaximised, onMaximise, menu }: TrafficBarProps) {
  const isPaused = useRows(rows, () => rows.paused);
  const newer = useRows(rows, () => rows.newer);
  const resumed = newer > 0 ? `${BAR.resume}, ${BAR.newer(newer)}` : BAR.resume;
  const pause = { id: 'pause', title: BAR.pause, run: () => rows.pause() };
  return (
    <>
      {isPaused && <IconButton icon={Play} label={resumed} onPress={() => rows.resume()} />}
      <IconButton
        icon={isMaximised ? Minimize2 : Maximize2}
        label={isMaximised ? BAR.restore : BAR.maximise}
        shortcut="mod+shift+j"
        className={isMaximised ? '' : (styles.maximise ?? '')}
        onPress={onMaximise}
      />
      <Menu
        label={BAR.more}
        trigger={<IconButton icon={MoreHorizontal} label={BAR.more} />}
        groups={isPaused ? menu : [[pause], ...menu]}
      />
    </>
  );
}

interface KindChipsProps {
  /** The selected kinds; none is the same as all. */
  readonly kinds: readonly ExchangeKind[];
  readonly onChange: (kinds: readonly ExchangeKind[]) => void;
}

/** One chip for each kind of row. */
function KindChips({ kinds, onChange }: KindChipsProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is drawn as a box of its own
    <div role="group" aria-label={BAR.kinds} className={styles.chips}>
      <ToggleButton isSelected={kinds.length === 0} onChange={() => onChange([])}>
        {BAR.allKinds}
      </ToggleButton>
      {KINDS.map(({ kind, title }) => (
        <ToggleButton
          key={kind}
          isSelected={kinds.includes(kind)}
          onChange={() => onChange(toggleKind(kinds, kind))}
        >
          {title}
        </ToggleButton>
      ))}
    </div>
  );
}
