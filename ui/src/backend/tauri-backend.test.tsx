import { expect, it, vi } from 'vitest';
import { tauriBackend } from './tauri-backend';

const asked = vi.hoisted((): string[] => []);

vi.mock('@tauri-apps/api/core', () => ({ Channel: class {} }));
vi.mock('./bindings', () => ({
  commands: new Proxy(
    {},
    { get: (_, name) => async (session: unknown) => asked.push(`${String(name)} ${session}`) },
  ),
}));

it('reads the record of the session and never that of the program', () => {
  const reader = tauriBackend().readerOf(7);
  const query = { frame: 1, pointer: '', form: 'raw' } as const;
  void reader.trafficWindow({} as never, 0, 1);
  void reader.trafficDetail(1);
  void reader.trafficOperations({} as never, 0, 1);
  void reader.trafficOperation({ id: 1 }, 0, 1);
  void reader.trafficCausality(1);
  void reader.trafficTimeline({} as never);
  void reader.trafficTimelineStep({} as never, 1, 'next');
  void reader.trafficTimelineOperation(1);
  void reader.payloadLines(query, 0, 1);
  void reader.payloadText(query);
  void reader.searchPayload(query, 'a');
  void reader.blobHex(1, '', 0, 1);
  void reader.blobBase64(1, '');
  void reader.copyExchange(1, 'json');
  void reader.savePart(1, '', 'a');
  void reader.onTraffic(() => {});
  expect(asked).toEqual([
    'trafficWindow 7',
    'trafficDetail 7',
    'trafficOperations 7',
    'trafficOperation 7',
    'trafficCausality 7',
    'trafficTimeline 7',
    'trafficTimelineStep 7',
    'trafficTimelineOperation 7',
    'payloadLines 7',
    'payloadText 7',
    'searchPayload 7',
    'blobHex 7',
    'blobBase64 7',
    'copyExchange 7',
    'savePart 7',
    'subscribeTraffic 7',
  ]);
});
