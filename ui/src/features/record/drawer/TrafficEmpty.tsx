import { asCommandError } from '@/backend/error';
import { Button } from '@/components/Button';
import { EmptyState } from '@/components/EmptyState';
import { useRecord } from '@/state/record/recording';
import { KINDS } from '../filter/kinds';
import { type DrawerView, isNarrowed, isOfMessages, type Selection } from '../filter/selection';
import { OPERATIONS_EMPTY } from '../operations/operation-texts';
import type { RowsInView } from '../rows/record-rows';
import { useRows } from '../rows/use-record-rows';
import { EMPTY } from '../texts';

interface TrafficEmptyProps {
  readonly rows: RowsInView;
  readonly view: DrawerView;
  readonly selection: Selection;
  readonly onShowAll: () => void;
}

/** The reason why no row is shown, and the rows that would be. */
export function TrafficEmpty({ rows, selection, view, onShowAll }: TrafficEmptyProps) {
  const frames = useRecord((state) => state.revision.frames);
  const failure = useRows(rows, () => rows.failure);
  const complete = useRows(rows, () => rows.complete);
  if (failure) {
    const { message, hint } = asCommandError(failure);
    return (
      <EmptyState
        title={message}
        action={<Button onPress={() => rows.refresh()}>{EMPTY.retry}</Button>}
      >
        {hint}
      </EmptyState>
    );
  }
  if (frames > 0 && isNarrowed(selection)) {
    if (!complete) return <EmptyState title={EMPTY.searching}>{EMPTY.onRecord(frames)}</EmptyState>;
    return (
      <EmptyState
        title={EMPTY.nothingMatches}
        action={<Button onPress={onShowAll}>{EMPTY.showAll}</Button>}
      >
        {EMPTY.onRecord(frames)} {EMPTY.none(conditions(selection))}
      </EmptyState>
    );
  }
  if (!isOfMessages(view)) {
    if (frames > 0 && !complete) return <EmptyState title={OPERATIONS_EMPTY.lookingBack} />;
    return <EmptyState title={OPERATIONS_EMPTY.none}>{OPERATIONS_EMPTY.meaning}</EmptyState>;
  }
  return <EmptyState title={EMPTY.noTraffic}>{EMPTY.meaning}</EmptyState>;
}

function conditions({ filter, kinds, invert, server }: Selection): string {
  const titles = KINDS.filter(({ kind }) => kinds.includes(kind)).map(({ title }) => title);
  const text = filter.trim();
  return [
    text !== '' && (invert ? EMPTY.opposite(text) : EMPTY.text(text)),
    titles.length > 0 && EMPTY.kinds(titles),
    server !== null && EMPTY.server,
  ]
    .filter(Boolean)
    .join(EMPTY.and);
}
