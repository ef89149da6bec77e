import { act, render } from '@testing-library/react';
import { expect, test } from 'vitest';
import { BackendContext } from '@/backend/backend';
import type { Phase, ServerId, SurfaceView } from '@/backend/bindings';
import { useSurfaces } from '@/state/checks/surfaces';
import { stubBackend } from '@/test-support/backend';
import { demoServer, disconnected } from '@/test-support/servers';
import { SurfaceBanner } from './SurfaceBanner';

function surface(server: ServerId): SurfaceView {
  return {
    server,
    isPinned: false,
    stored: null,
    changes: [],
    leftOut: 0,
    breaking: 0,
    attention: 0,
    compatible: 0,
    notes: 0,
    isPossibleRugPull: false,
    findings: [],
    silenced: [],
  };
}

test('a call reads no surface, and one that says the same draws nothing again', async () => {
  const id = 'built-in:called';
  let reads = 0;
  const backend = stubBackend({
    getSurface: async () => {
      reads += 1;
      return surface(id);
    },
  });
  const banner = (phase: Phase) => (
    <BackendContext.Provider value={backend}>
      <SurfaceBanner server={{ ...demoServer(), id, status: { ...disconnected(), phase } }} />
    </BackendContext.Provider>
  );
  const { rerender } = render(banner('listingTools'));
  const show = (phase: Phase) => act(async () => rerender(banner(phase)));
  expect(reads).toBe(0);
  await show('ready');
  for (let call = 0; call < 10; call++) {
    await show('executing');
    await show('ready');
  }
  expect(reads).toBe(1);

  const before = useSurfaces.getState().views;
  await act(async () => useSurfaces.getState().noteCompared(id));
  expect(reads).toBe(2);
  expect(useSurfaces.getState().views).toBe(before);
});
