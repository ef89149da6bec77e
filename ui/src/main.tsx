import '@/styles/base.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from '@/app/App';
import { BackendContext } from '@/backend/backend';
import { openBackend } from '@/backend/open-backend';
import { startSync } from '@/state/sync';

const backend = await openBackend();
const element = document.getElementById('root');
if (!element) throw new Error('index.html has no #root');
createRoot(element).render(
  <StrictMode>
    <BackendContext value={backend}>
      <App />
    </BackendContext>
  </StrictMode>,
);
await startSync(backend);
