import { asCommandError } from '@/backend/error';
import { EmptyState } from '@/components/EmptyState';

/** What the window shows when it could not learn what to show. */
export function StartFailure({ reason }: { reason: unknown }) {
  const { message, hint } = asCommandError(reason);
  return (
    <main>
      <EmptyState title="Sightglass could not start">
        <p>{message}</p>
        <p>{hint ?? 'Close the window and open it again.'}</p>
      </EmptyState>
    </main>
  );
}
