import type { Backend } from '@/backend/backend';
import type { Snapshot } from '@/backend/bindings';
import { demoServer } from './servers';

/** A backend with nothing but the built-in server. It answers what `answers` says, and little else. */
export function stubBackend(answers: Partial<Backend> = {}): Backend {
  const known: Partial<Backend> = {
    given: null,
    getSnapshot: async () => emptySnapshot(),
    onEvents: async () => () => {},
    onTraffic: async () => () => {},
    listGuideChapters: async () => [],
    getConfiguration: async () => ({
      revision: 1,
      clients: [],
      policy: [],
      undo: null,
      redo: null,
    }),
    listTasks: async () => [],
    restoreLists: async () => null,
    subscribeResource: async () => null,
    checkValue: async () => ({ valid: true, problems: [], notChecked: null }),
    ...answers,
  };
  return new Proxy(known as Backend, {
    get(target, name) {
      if (name in target) return target[name as keyof Backend];
      throw new Error(`this test's backend has no ${String(name)}`);
    },
  });
}

function emptySnapshot(): Snapshot {
  return {
    sequence: 0,
    version: '0.1.0',
    project: { name: 'acme-web', path: '/srv/acme-web', dataDirectory: '/home/ada/data' },
    servers: [demoServer()],
    files: [],
    folder: { path: '/srv/acme-web', answer: 'trusted', isHome: false },
    questions: [],
    automaticAnswers: [],
    answerRules: { path: '/home/ada/data/rules.toml', problems: [], rules: [] },
    confirmations: [],
    recording: { frames: 0, size: 0, dropped: 0, off: null, path: '/home/ada/data/traffic' },
    settings: {
      theme: 'system',
      retention: { days: 30, mebibytes: 2048 },
      messageLimit: 256,
      markdown: false,
      confirmDestructive: true,
      pingInterval: 30,
      zoom: 100,
      notifications: false,
      connectAtStart: [],
      profiles: [],
      order: [],
      defaults: { protocol: 'auto', startupLimit: null, callLimit: null },
      network: { proxy: '', noProxy: '', caFile: '' },
      models: [],
    },
    auth: [],
  };
}
