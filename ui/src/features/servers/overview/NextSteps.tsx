import type { ServerView } from '@/backend/bindings';
import { Button } from '@/components/Button';
import { useLists } from '@/state/calls/lists';
import { useDialogs } from '@/state/dialogs';
import { useNavigation } from '@/state/navigation';
import { NEXT_STEPS } from './texts';

/** What one does with a server that works. */
export function NextSteps({ server: { id, name, target } }: { server: ServerView }) {
  const hasTools = useLists((state) => (state.byServer[id]?.tools?.count ?? 0) > 0);
  return (
    <span className="flex wrap gap-4">
      {hasTools && (
        <Button onPress={() => useNavigation.getState().open({ server: id, tab: 'tools' })}>
          {NEXT_STEPS.tryTool}
        </Button>
      )}
      {target && (
        <Button
          onPress={() => useDialogs.getState().show({ kind: 'config-sync', from: target, name })}
        >
          {NEXT_STEPS.copy}
        </Button>
      )}
    </span>
  );
}
