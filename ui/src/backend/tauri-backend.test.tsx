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
  void reader.listTraffic({} as never, 0, 1);
  void reader.getTrafficDetail(1);
  void reader.listTrafficOperations({} as never, 0, 1);
  void reader.getTrafficOperation({ id: 1 }, 0, 1);
  void reader.getTrafficCausality(1);
  void reader.getTrafficTimeline({} as never);
  void reader.getTrafficTimelineStep({} as never, 1, 'next');
  void reader.getTrafficTimelineOperation(1);
  void reader.getPayloadLines(query, 0, 1);
  void reader.getPayloadText(query);
  void reader.searchPayload(query, 'a');
  void reader.getBlobHex(1, '', 0, 1);
  void reader.getBlobBase64(1, '');
  void reader.copyExchange(1, 'json');
  void reader.savePart(1, '', 'a');
  void reader.onTraffic(() => {});
  expect(asked).toEqual([
    'listTraffic 7',
    'getTrafficDetail 7',
    'listTrafficOperations 7',
    'getTrafficOperation 7',
    'getTrafficCausality 7',
    'getTrafficTimeline 7',
    'getTrafficTimelineStep 7',
    'getTrafficTimelineOperation 7',
    'getPayloadLines 7',
    'getPayloadText 7',
    'searchPayload 7',
    'getBlobHex 7',
    'getBlobBase64 7',
    'copyExchange 7',
    'savePart 7',
    'subscribeTraffic 7',
  ]);
});
