import { expect, test, vi } from 'vitest';
import type { Backend } from '@/backend/backend';
import type { Settings } from '@/backend/bindings';
import { saveSettings } from './settings';
import { useSnapshot } from './snapshot';

const zoom = () => useSnapshot.getState().settings.zoom;

test('a change is saved after the one before it, and shown at once', async () => {
  const ends: (() => void)[] = [];
  const updateSettings = vi.fn(
    (_: Settings) => new Promise<null>((resolve) => ends.push(() => resolve(null))),
  );
  const backend = { updateSettings } as unknown as Backend;
  const first = saveSettings(backend, { zoom: 110 });
  const second = saveSettings(backend, { zoom: 125 });
  expect(zoom()).toBe(125);
  expect(updateSettings).toHaveBeenCalledOnce();
  ends[0]?.();
  await first;
  await vi.waitFor(() => expect(updateSettings).toHaveBeenCalledTimes(2));
  ends[1]?.();
  await second;
  expect(updateSettings.mock.lastCall?.[0].zoom).toBe(125);
});

test('a change that is refused is taken back, and not one that came after it', async () => {
  const { zoom: before } = useSnapshot.getState().settings;
  const refuse = vi.fn(() => Promise.reject(new Error('The disk is full.')));
  const backend = { updateSettings: refuse } as unknown as Backend;
  await expect(saveSettings(backend, { zoom: 150 })).rejects.toThrow('full');
  expect(zoom()).toBe(before);
  const first = saveSettings(backend, { zoom: 150 });
  useSnapshot.setState(({ settings }) => ({ settings: { ...settings, zoom: 175 } }));
  await expect(first).rejects.toThrow('full');
  expect(zoom()).toBe(175);
});
