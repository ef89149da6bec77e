import '@/styles/index.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from '@/app/App';
import { StartFailure } from '@/app/StartFailure';
import { startPlace } from '@/app/start-place';
import { BackendContext } from '@/backend/backend';
import { tauriBackend } from '@/backend/tauri-backend';
import { reloadPage } from '@/lib/lazy-component';
import { startSync } from '@/state/sync';
import { ErrorBoundary } from './widgets/ErrorBoundary';

declare global {
  interface Window {
    /** Loads the page anew, for the host (`LOAD_ANEW` in desktop.rs). */
    sightglassReload?: () => void;
  }
}
window.sightglassReload = reloadPage;

const element = document.getElementById('root');
if (!element) throw new Error('index.html has no #root');
// What a boundary caught is shown in its pane; a message can hold what a server said.
const root = createRoot(element, { onCaughtError: () => {} });

try {
  const backend = tauriBackend();
  // Begun first, so that the first picture already shows what the backend gave along.
  startPlace();
  const synced = startSync(backend);
  // Until there is something to draw, the frame of the page stays.
  if (!backend.given) await synced;
  root.render(
    <StrictMode>
      <ErrorBoundary pane="Window">
        <BackendContext value={backend}>
          <App />
        </BackendContext>
      </ErrorBoundary>
    </StrictMode>,
  );
  await synced;
} catch (reason) {
  root.render(<StartFailure reason={reason} />);
}
