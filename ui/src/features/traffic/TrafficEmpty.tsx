import { asCommandError } from '@/backend/error';
import { Button } from '@/components/Button';
import { EmptyState } from '@/components/EmptyState';
import { formatQuantity } from '@/lib/format';
import { useRecording } from '@/state/recording';
import { KINDS } from './kinds';
import { isNarrowed } from './TrafficBar';
import type { Selection, TrafficRows } from './traffic-rows';
import { useRows } from './use-traffic-rows';

interface TrafficEmptyProps {
  readonly rows: TrafficRows;
  readonly selection: Selection;
  readonly onShowAll: () => void;
}

/** The reason why no row is shown, and the rows that would be. */
export function TrafficEmpty({ rows, selection, onShowAll }: TrafficEmptyProps) {
  const frames = useRecording((state) => state.pulse.frames);
  const failure = useRows(rows, () => rows.failure);
  const complete = useRows(rows, () => rows.complete);
  if (failure) {
    const { message, hint } = asCommandError(failure);
    return (
      <EmptyState title={message} action={<Button onPress={() => rows.pulse()}>Try again</Button>}>
        {hint}
      </EmptyState>
    );
  }
  if (frames > 0 && isNarrowed(selection)) {
    if (!complete) return <EmptyState title="Searching…">{searched(frames)}</EmptyState>;
    return (
      <EmptyState
        title="Nothing matches"
        action={<Button onPress={onShowAll}>Show everything</Button>}
      >
        {searched(frames)} None of them matches {conditions(selection)}.
      </EmptyState>
    );
  }
  return (
    <EmptyState title="No traffic yet">
      Connect to a server: every request, notification, log message, HTTP exchange, line of stderr
      and change of phase appears here, and stays after a restart.
    </EmptyState>
  );
}

function searched(frames: number): string {
  return `${formatQuantity(frames, 'message')} on record.`;
}

function conditions({ filter, kinds, invert, server }: Selection): string {
  const titles = KINDS.filter(({ kind }) => kinds.includes(kind)).map(({ title }) => title);
  const text = filter.trim();
  return [
    text !== '' && (invert ? `the opposite of “${text}”` : `“${text}”`),
    titles.length > 0 && `the kinds ${titles.join(', ')}`,
    server !== null && 'this server',
  ]
    .filter(Boolean)
    .join(' and ');
}
