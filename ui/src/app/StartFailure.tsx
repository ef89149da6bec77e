import { asCommandError } from '@/backend/error';
import { EmptyState } from '@/components/EmptyState';

/** The window when the first snapshot could not be loaded. */
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
