import { asCommandError } from '@/backend/error';
import { EmptyState } from '@/components/EmptyState';
import { START_FAILURE } from './texts';

/** The window when the first snapshot could not be loaded. */
export function StartFailure({ reason }: { reason: unknown }) {
  const { message, hint } = asCommandError(reason);
  return (
    <main>
      <EmptyState title={START_FAILURE.title}>
        <p>{message}</p>
        <p>{hint ?? START_FAILURE.hint}</p>
      </EmptyState>
    </main>
  );
}
