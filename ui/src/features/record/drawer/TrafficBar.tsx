import { ChevronDown, ChevronRight, Copy, ListFilter, Pause, Play, Trash2 } from 'lucide-react';
import { memo, type RefObject } from 'react';
import {
  Button as AriaButton,
  Dialog as AriaDialog,
  DialogTrigger,
  Popover,
} from 'react-aria-components';
import type { SessionView } from '@/backend/bindings';
import { Button, IconButton, ToggleButton } from '@/components/Button';
import { Menu, type MenuEntry } from '@/components/Menu';
import { Segmented } from '@/components/Segmented';
import { Tooltip } from '@/components/Tooltip';
import { formatCount } from '@/lib/format';
import { visibleText } from '@/lib/visible-text';
import { useRecord } from '@/state/record/recording';
import { FilterField, type MessagesAtHand } from '../filter/FilterField';
import { KindChips } from '../filter/KindChips';
import { KINDS } from '../filter/kinds';
import { isNarrowed, type Selection } from '../filter/selection';
import type { RowsInView } from '../rows/record-rows';
import { useRows } from '../rows/use-record-rows';
import { BAR, COPY, matchText } from '../texts';
import styles from './traffic-bar.module.css';
import type { DrawerView } from './use-drawer-view';

const VIEWS = [
  { value: 'messages', label: BAR.views.messages },
  { value: 'operations', label: BAR.views.operations },
  { value: 'timeline', label: BAR.views.timeline },
] as const;

/** The room of the bar. */
export type BarRoom = 'wide' | 'medium' | 'narrow';

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
  readonly onClear: () => void;
  /** Groups of the menu that copies and exports. */
  readonly copies: readonly (readonly MenuEntry[])[];
}

/** The line above the rows: which rows, how many, and what to do with them. */
export const TrafficBar = memo(function TrafficBar(props: TrafficBarProps) {
  const { isOpen, room, rows, filter } = props;
  const problem = useRows(rows, () => (rows.filterAnswered === filter ? rows.problem : null));
  return (
    <div className={styles.bar}>
      <h2 className="flex-none">
        <AriaButton className={styles.toggle} aria-expanded={isOpen} onPress={props.onToggle}>
          {isOpen ? (
            <ChevronDown size={13} aria-hidden="true" />
          ) : (
            <ChevronRight size={13} aria-hidden="true" />
          )}
          {props.session === null ? BAR.title : BAR.ofSession(visibleText(props.session.name))}
        </AriaButton>
      </h2>
      {isOpen && (
        <>
          <Segmented
            label={BAR.view}
            segments={VIEWS}
            value={props.view}
            onChange={props.onViewChange}
          />
          <FilterField
            value={filter}
            onChange={props.onFilterChange}
            problem={problem}
            inputRef={props.filterInput}
            onLeave={props.onLeaveFilter}
            rows={props.atHand}
          />
          {room === 'wide' ? <Choices {...props} /> : <ChoicesButton {...props} />}
        </>
      )}
      <Counts
        rows={rows}
        view={props.view}
        isFiltered={isOpen && isNarrowed(props.selection)}
        isOpen={isOpen}
        room={room}
      />
      {isOpen && <Commands {...props} />}
    </div>
  );
});

function Choices({ rows, selection, onSelectionChange, server }: TrafficBarProps) {
  const canInvert = selection.filter.trim() !== '';
  return (
    <>
      <ToggleButton
        isSelected={selection.invert && canInvert}
        isDisabled={!canInvert}
        onChange={(invert) => onSelectionChange({ invert })}
      >
        {BAR.invert}
      </ToggleButton>
      <span className={styles.line} />
      <KindChips kinds={selection.kinds} onChange={(kinds) => onSelectionChange({ kinds })} />
      <span className={styles.line} />
      <ToggleButton
        isSelected={selection.phases}
        onChange={(phases) => onSelectionChange({ phases })}
      >
        {BAR.phases}
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

/** The same behind one button, which says what is chosen. */
function ChoicesButton(props: TrafficBarProps) {
  const { selection, room } = props;
  const label = choiceText(selection);
  return (
    <DialogTrigger>
      <Button variant="quiet" aria-label={BAR.show(label)}>
        <ListFilter size={14} aria-hidden="true" />
        {room === 'medium' && label}
      </Button>
      <Popover className={styles.popover} placement="top start" offset={6}>
        <AriaDialog aria-label={BAR.choices} className={styles.dialog}>
          <Choices {...props} />
        </AriaDialog>
      </Popover>
    </DialogTrigger>
  );
}

function choiceText({ kinds, invert, server, phases, checks }: Selection): string {
  const titles = KINDS.filter(({ kind }) => kinds.includes(kind)).map(({ title }) => title);
  const first =
    titles.length > 2 ? BAR.someKinds(titles.length) : titles.join(', ') || BAR.allKinds;
  return [
    first,
    phases && BAR.also.phases,
    checks && BAR.also.checks,
    server && BAR.also.server,
    invert && BAR.also.invert,
  ]
    .filter(Boolean)
    .join(', ');
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
      <span className={styles.counts} data-alarming title={off}>
        <span aria-hidden="true">▲ </span>
        {BAR.off(dropped)}
      </span>
    );
  }
  // An open drawer says so itself, and more.
  if (frames === 0 && !isOpen) return <span className={styles.counts}>{BAR.none}</span>;
  const showsOperations = isOpen && view !== 'messages';
  const operations = matching ?? BAR.operations(count, complete);
  const operationCount = oldest === null ? operations : BAR.since(operations, oldest);
  if (room === 'narrow') {
    const all = formatCount(showsOperations ? count : frames);
    return <span className={styles.counts}>{matching ?? all}</span>;
  }
  return (
    <span className={styles.counts}>
      {showsOperations ? operationCount : (matching ?? BAR.messages(frames))}
      {dropped > 0 && (
        <>
          {' '}
          · <span data-alarming>{BAR.dropped(dropped)}</span>
        </>
      )}
    </span>
  );
}

function Commands({ rows, room, onClear, copies, session }: TrafficBarProps) {
  const isPaused = useRows(rows, () => rows.paused);
  const newer = useRows(rows, () => rows.newer);
  const pause = () => (isPaused ? rows.resume() : rows.pause());
  const label = isPaused ? BAR.resume : BAR.pause;
  const icon = isPaused ? (
    <Play size={13} aria-hidden="true" />
  ) : (
    <Pause size={13} aria-hidden="true" />
  );
  const copyTrigger =
    room === 'wide' ? (
      <Button variant="quiet">
        {COPY.menu}
        <ChevronDown size={12} aria-hidden="true" />
      </Button>
    ) : (
      <Button variant="quiet" aria-label={COPY.menu} className={styles.picture}>
        <Copy size={13} aria-hidden="true" />
      </Button>
    );
  return (
    <div className="flex flex-none">
      {room === 'wide' ? (
        <>
          <Button variant="quiet" onPress={pause}>
            {icon}
            {label}
            {isPaused && newer > 0 && <span className="faint">{BAR.newer(newer)}</span>}
          </Button>
          {session === null && (
            <Button variant="quiet" onPress={onClear}>
              {BAR.clear}
            </Button>
          )}
        </>
      ) : (
        <>
          <IconButton
            label={isPaused && newer > 0 ? `${label}, ${BAR.newer(newer)}` : label}
            onPress={pause}
          >
            {icon}
          </IconButton>
          {session === null && (
            <IconButton label={BAR.clear} onPress={onClear}>
              <Trash2 size={13} aria-hidden="true" />
            </IconButton>
          )}
        </>
      )}
      <Menu label={COPY.menu} trigger={copyTrigger} groups={copies} />
    </div>
  );
}
