import type { Backend } from '../backend';
import type { CallReport, FolderAnswer, ListKind, ServerId } from '../bindings';
import { pause } from './clock';
import { configurationCommands } from './config/commands';
import { FakeRegistry } from './config/registry';
import { FakeDoctor } from './doctor';
import { describeResult, promptResult, resourceResult, toolResult } from './results';
import { openScenario, type Scenario } from './scenarios';
import { listKey } from './world';

/**
 * A backend without a host: servers, lists, calls and a record, all in memory. It behaves as
 * the host does as far as the window can tell; browser tests run on it.
 */
export function fakeBackend(scenario: Scenario): Backend {
  const { world, connections, configuration, auth } = openScenario(scenario);
  const registry = new FakeRegistry();
  const doctor = new FakeDoctor(world);
  // Browser tests play another program that writes these files, and a network that is down.
  Object.assign(window, { fakeFiles: configuration, auth, fakeRegistry: registry });
  const cancelled = new Set<string>();
  let lastQuestion = 100;

  interface Call {
    server: ServerId;
    key: string;
    method: string;
    target: string;
    params: unknown;
    result: unknown;
    takes: number;
    /** Steps of progress to report on the way. */
    steps?: number;
    error?: { code: number; message: string; data?: unknown };
  }

  const isAsked = (key: string) => world.snapshot.requests.some((request) => request.call === key);

  async function call({
    server: id,
    key,
    method,
    target,
    params,
    result,
    takes,
    steps = 0,
    error,
  }: Call): Promise<CallReport> {
    const server = world.server(id);
    if (!['ready', 'executing'].includes(server.status.phase)) {
      throw {
        code: 'not_connected',
        message: `${server.name} is not connected.`,
        hint: 'Connect to it, then try again.',
      };
    }
    const begun = performance.now();
    const done = connections.executing(id);
    const row = world.record.begin({
      server,
      method,
      target,
      request: { jsonrpc: '2.0', id: key, method, params },
    });
    for (let step = 1; step <= Math.max(steps, 1); step += 1) {
      await pause(takes);
      while (isAsked(key) && !cancelled.has(key)) await pause(takes);
      if (cancelled.delete(key)) {
        done();
        const duration = performance.now() - begun;
        world.record.settle(row, { outcome: 'cancelled', response: null, duration });
        return {
          request: {
            end: 'cancelled',
            request_frame: row.request_frame,
            response_frame: null,
            duration,
            waited: 0,
            size: 0,
            message: 'You cancelled it.',
          },
          result: null,
          error: null,
        };
      }
      if (steps > 0) {
        const progress = { progress: step, total: steps, message: `Step ${step} of ${steps}` };
        world.tell({
          type: 'connection',
          event: { type: 'progress', server: id, call: key, progress },
        });
      }
    }
    done();
    const duration = performance.now() - begun;
    const failed = error !== undefined || (result as { isError?: boolean }).isError === true;
    const settled = world.record.settle(row, {
      outcome: failed ? 'error' : 'ok',
      code: error?.code ?? null,
      duration,
      response: error ? { jsonrpc: '2.0', id: key, error } : { jsonrpc: '2.0', id: key, result },
    });
    return {
      request: {
        end: error ? 'error' : 'result',
        request_frame: settled.request_frame,
        response_frame: settled.response_frame,
        duration,
        waited: 0,
        size: settled.size,
        message: null,
      },
      result: error ? null : describeResult(result),
      error: error
        ? {
            code: String(error.code),
            message: error.message,
            data: error.data === undefined ? null : JSON.stringify(error.data),
          }
        : null,
    };
  }

  const tellFolder = (answer: FolderAnswer) => {
    const folder = { ...world.snapshot.folder, answer };
    world.snapshot.folder = folder;
    world.tell({ type: 'folder', folder });
  };

  const itemsOf = (server: ServerId, list: ListKind) =>
    world.items.get(listKey(server, list)) ?? [];

  return {
    ...auth.commands,
    given: null,
    async onEvents(listener) {
      return world.onEvents(listener);
    },
    async onTraffic(listener) {
      return world.onTraffic(listener);
    },
    async snapshot() {
      return structuredClone({ ...world.snapshot, auth: [...world.auth.values()] });
    },
    async connect(server) {
      void connections.connect(server);
      configuration.noteConnection(server, true);
      return null;
    },
    async disconnect(server) {
      await connections.disconnect(server);
      configuration.noteConnection(server, false);
      return null;
    },

    async setSessionVariable() {
      return null;
    },

    async forgetFound(server) {
      const { status } = world.server(server);
      status.known_endpoint = null;
      world.tell({ type: 'connection', event: { type: 'status', server, status } });
      return null;
    },
    async trustFolder() {
      tellFolder('trusted');
      return null;
    },
    async distrustFolder() {
      tellFolder('not_trusted');
      return null;
    },
    async saveRoots(server, folders) {
      world.server(server).roots = {
        folders: folders ?? [world.snapshot.project.path],
        is_default: folders === null,
      };
      world.tellServers();
      return null;
    },
    runDoctor: (server) => doctor.run(server),
    async stopDoctor(server) {
      doctor.stop(server);
      return null;
    },

    async items(server, list, filter, offset, limit) {
      const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
      const all = itemsOf(server, list);
      const indexed = all.map((item, index) => ({ item, index }));
      const matching =
        words.length === 0
          ? indexed
          : indexed.filter(({ item }) => {
              const text =
                `${item.name} ${item.title ?? ''} ${item.description ?? ''}`.toLowerCase();
              return words.every((word) => text.includes(word));
            });
      return {
        rows: matching.slice(offset, offset + limit).map(({ item, index }) => ({
          index,
          name: item.name,
          title: item.title ?? null,
          description: item.description ?? null,
          problem: null,
          fresh: false,
        })),
        matched: matching.length,
        total: all.length,
        revision: world.server(server).lists.find((change) => change.list === list)?.revision ?? 0,
      };
    },
    async item(server, list, index) {
      const item = itemsOf(server, list)[index];
      if (!item) throw { code: 'not_found', message: 'It is no longer in the list.', hint: null };
      return {
        index,
        name: item.name,
        json: item.json,
        problem: null,
        last_arguments: world.lastArguments.get(listKey(server, item.name)) ?? null,
      };
    },
    async findItem(server, list, name) {
      const index = itemsOf(server, list).findIndex((item) => item.name === name);
      return index < 0 ? null : index;
    },
    async refreshList(server, list) {
      const change = world.server(server).lists.find((known) => known.list === list);
      if (change) world.setList(server, { ...change, revision: change.revision + 1 });
      return null;
    },

    async callTool(server, key, tool, given) {
      const parsed = JSON.parse(given) as Record<string, unknown>;
      world.lastArguments.set(listKey(server, tool), given);
      if (tool === 'ask_person') {
        lastQuestion += 1;
        world.ask({
          id: lastQuestion,
          server,
          method: 'elicitation/create',
          params: JSON.stringify({
            message: 'What should it be called?',
            requestedSchema: {
              type: 'object',
              properties: { name: { type: 'string', title: 'Name' } },
              required: ['name'],
            },
          }),
          at: Date.now(),
          call: key,
          frame: null,
          before_another_try: false,
        });
      }
      return call({
        server,
        key,
        method: 'tools/call',
        target: tool,
        params: { name: tool, arguments: parsed },
        result: toolResult(tool, parsed),
        takes: tool === 'slow_count' ? 300 : 38,
        steps: tool === 'slow_count' ? Number(parsed.steps ?? 10) : 0,
        error:
          tool === 'refuse'
            ? { code: -32602, message: 'Unknown argument: colour', data: { argument: 'colour' } }
            : undefined,
      });
    },
    async callToolAs(server, identity, key, tool, given) {
      const input = { ...(JSON.parse(given) as Record<string, unknown>), as: identity };
      return call({
        server,
        key,
        method: 'tools/call',
        target: tool,
        params: { name: tool, arguments: input },
        result: toolResult(tool, input),
        takes: 60,
      });
    },
    readResource: (server, key, uri) =>
      call({
        server,
        key,
        method: 'resources/read',
        target: uri,
        params: { uri },
        result: resourceResult(uri),
        takes: 12,
      }),
    getPrompt: (server, key, prompt, given) =>
      call({
        server,
        key,
        method: 'prompts/get',
        target: prompt,
        params: { name: prompt, arguments: Object.fromEntries(given) },
        result: promptResult(prompt, given),
        takes: 12,
      }),
    async complete(_server, query) {
      const known = ['rust', 'ruby', 'python', 'typescript', 'welcome', 'changes'];
      return known.filter((value) => value.startsWith(query.value.toLowerCase()));
    },
    async subscribeResource(server, uri) {
      setTimeout(() => {
        world.tell({ type: 'connection', event: { type: 'resource_updated', server, uri } });
      }, 1500);
      return null;
    },
    unsubscribeResource: async () => null,
    async setLogLevel(server, log_level) {
      world.setStatus(server, { ...world.server(server).status, log_level });
      return null;
    },
    async cancelCall(_server, key) {
      cancelled.add(key);
      const ended = world.snapshot.requests.filter((request) => request.call === key);
      for (const { id } of ended) world.settle(id, 'call_ended');
      return true;
    },
    async answerRequest(id) {
      world.settle(id);
      return null;
    },

    ...configurationCommands(world, configuration, registry),

    trafficWindow: async (query, offset, limit) => world.record.window(query, offset, limit),
    trafficDetail: async (id) => world.record.detail(id),
    payloadLines: async (query, first, count) => world.record.payloadLines(query, first, count),
    payloadText: async (query) => world.record.text(query).slice(0, 1024 * 1024),
    async blobHex(frame, pointer, first, count) {
      const bytes = atob(world.record.text({ frame, pointer, form: 'text' }));
      const total = Math.ceil(bytes.length / 16);
      const shown = Math.max(0, Math.min(count, total - first));
      return {
        lines: Array.from({ length: shown }, (_, index) => hexLine(bytes, (first + index) * 16)),
        first_line: first,
        total_lines: total,
        total_size: bytes.length,
      };
    },
    blobBase64: async (frame, pointer) => world.record.text({ frame, pointer, form: 'text' }),
    async copyExchange(id, form) {
      const { row } = world.record.detail(id);
      const text = world.record.text({ frame: row.request_frame, pointer: '', form: 'pretty' });
      return form === 'json' ? text : `curl -X POST --data '${text}' https://example.com/mcp`;
    },
    async clearTraffic() {
      world.record.clear();
      return null;
    },
    async retryRecording() {
      const recording = { ...world.snapshot.recording, off: null, dropped: 0 };
      world.snapshot.recording = recording;
      world.tell({ type: 'recording', state: recording });
      return null;
    },

    savePart: async (_frame, _pointer, suggestedName) => `/home/ada/Downloads/${suggestedName}`,
    openAddress: async () => null,
    revealPath: async () => null,
    async saveSettings(settings) {
      world.snapshot.settings = settings;
      world.tell({ type: 'settings', settings });
      return null;
    },
    async windowReady() {
      document.documentElement.dataset.ready = 'true';
      return null;
    },
  };
}

function hexLine(bytes: string, start: number): string {
  const codes = Array.from(bytes.slice(start, start + 16), (byte) => byte.charCodeAt(0));
  const hex = codes.map((code) => code.toString(16).padStart(2, '0')).join(' ');
  const text = codes.map((code) => (code >= 32 && code < 127 ? String.fromCharCode(code) : '.'));
  return `${start.toString(16).padStart(8, '0')}  ${hex.padEnd(47)}  ${text.join('')}`;
}
