import { History } from 'lucide-react';
import { IconButton } from '@/components/Button';
import { showHistory } from './shown-history';
import { HISTORY } from './texts';

/** Shows all calls of a tool that are on record. */
export function HistoryButton({ runId }: { runId: string }) {
  return (
    <IconButton label={HISTORY.open} onPress={() => showHistory(runId)}>
      <History size={13} aria-hidden="true" />
    </IconButton>
  );
}
