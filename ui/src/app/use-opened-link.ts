import { useEffect } from 'react';
import { useDialogs } from '@/state/dialogs';

declare global {
  interface Window {
    /** A link that adds a server, which the application was opened with. Set by the host. */
    sightglassLink?: string | null;
  }
}

/** Shows a link that the application was opened with, in the dialog that adds a server. */
export function useOpenedLink(): void {
  useEffect(() => {
    const show = (text: string) => useDialogs.getState().show({ kind: 'add-server', text });
    if (window.sightglassLink) show(window.sightglassLink);
    window.sightglassLink = null;
    const onLink = (event: Event) => {
      if (event instanceof CustomEvent && typeof event.detail === 'string') show(event.detail);
    };
    window.addEventListener('sightglass-link', onLink);
    return () => window.removeEventListener('sightglass-link', onLink);
  }, []);
}
