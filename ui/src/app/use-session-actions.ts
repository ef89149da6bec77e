import { useEffect } from 'react';
import { useBackend } from '@/backend/backend';
import { useAction } from '@/state/actions';
import { useDialogs } from '@/state/dialogs';
import { showError } from '@/state/notices';
import { chooseSession, closeSession, useSessions, useShownSession } from '@/state/record/sessions';

/** Offers the actions on session files. */
export function useSessionActions(): void {
  const backend = useBackend();
  // Those that were open before the page was loaded anew. Read once the window is drawn.
  useEffect(() => {
    const read = () => void backend.listSessions().then(useSessions.getState().replace, showError);
    const timer = setTimeout(read, 500);
    return () => clearTimeout(timer);
  }, [backend]);
  const session = useShownSession();
  useAction('session.open', () => void chooseSession(backend));
  useAction(
    'session.replay',
    () => session && useDialogs.getState().show({ kind: 'replay-session', session: session.id }),
    { when: session !== undefined },
  );
  useAction(
    'session.compare',
    () => session && useDialogs.getState().show({ kind: 'compare-session', session: session.id }),
    { when: session !== undefined },
  );
  useAction('session.close', () => session && void closeSession(backend, session.id), {
    when: session !== undefined,
  });
}
