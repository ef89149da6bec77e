import { useEffect } from 'react';
import { type Backend, useBackend } from '@/backend/backend';
import { useDialogs } from '@/state/dialogs';
import { openSession } from '@/state/record/sessions';

/** Something that the application was opened for. The host says so. */
type ShownFirst = { type: 'link'; text: string } | { type: 'sessionFile'; path: string };

declare global {
  interface Window {
    sightglassOpened?: ShownFirst | null;
  }
}

/** Shows what the application, or another launch of it, was opened for. */
export function useShownFirst(): void {
  const backend = useBackend();
  useEffect(() => {
    if (window.sightglassOpened) show(backend, window.sightglassOpened);
    window.sightglassOpened = null;
    const onOpen = (event: Event) => {
      if (event instanceof CustomEvent) show(backend, event.detail);
    };
    window.addEventListener('sightglass-open', onOpen);
    return () => window.removeEventListener('sightglass-open', onOpen);
  }, [backend]);
}

/** Shows a link in the dialog that adds a server, and a session file in its own place. */
function show(backend: Backend, opened: ShownFirst): void {
  if (opened.type === 'link') {
    useDialogs.getState().showWhenFree({ kind: 'add-server', text: opened.text });
  } else {
    void openSession(backend, opened.path);
  }
}
