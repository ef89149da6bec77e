import type {
  ConnectionStatus,
  HandshakeResult,
  ListChange,
  ListKind,
  Phase,
  ServerId,
} from '../bindings';
import { pause } from './clock';
import { disconnected, phaseRecord } from './servers';
import { type FakeWorld, listKey } from './world';

const LISTS: readonly ListKind[] = ['resources', 'resource_templates', 'tools', 'prompts'];

const METHOD: Record<ListKind, string> = {
  tools: 'tools/list',
  resources: 'resources/list',
  resource_templates: 'resources/templates/list',
  prompts: 'prompts/list',
};

const MEMBER: Record<ListKind, string> = {
  tools: 'tools',
  resources: 'resources',
  resource_templates: 'resourceTemplates',
  prompts: 'prompts',
};

/** Goes through the phases of a connection, and through all of them at once without `step`. */
export class FakeConnections {
  /** Moves with each attempt, so that an abandoned one stops. */
  private attempts = new Map<ServerId, number>();
  private lastConnection = 10;

  constructor(private readonly world: FakeWorld) {}

  /** Brings a server to `ready` at once, as if it had been connected before. */
  connectedBefore(id: ServerId): void {
    const server = this.world.server(id);
    let at = Date.now() - 61_000;
    const handshake = this.handshake(id, at);
    const timeline = PHASES.map(({ phase, takes, detail, methods }) => {
      const record = phaseRecord(phase, at, takes, detail, ...methods);
      at += takes;
      return record;
    });
    server.lists = LISTS.map((list) => this.loadList(id, list));
    server.status = {
      ...disconnected(),
      phase: 'ready',
      since: at,
      connection: this.lastConnection,
      handshake,
      timeline: [...timeline, phaseRecord('ready', at, null, null)],
      health: { round_trip: 0.9, at: Date.now(), missed: 0 },
    };
  }

  /** Leaves a server in the middle of connecting. */
  stuckIn(id: ServerId, phase: Phase): void {
    const server = this.world.server(id);
    const started = Date.now();
    const reached = PHASES.findIndex((step) => step.phase === phase);
    const timeline = PHASES.slice(0, reached).map((step) =>
      phaseRecord(step.phase, started, step.takes, step.detail, ...step.methods),
    );
    server.status = {
      ...disconnected(),
      phase,
      since: started,
      connection: this.lastConnection,
      handshake: this.handshake(id, started),
      timeline: [...timeline, phaseRecord(phase, started, null, 'page 3, 300 so far')],
    };
  }

  async connect(id: ServerId): Promise<void> {
    const attempt = this.nextAttempt(id);
    let status: ConnectionStatus = { ...disconnected(), connection: this.lastConnection };
    for (const { phase, takes, detail, methods } of PHASES) {
      if (this.attempts.get(id) !== attempt) return;
      status = advance(status, phase, detail, methods);
      if (phase === 'handshaking')
        status = { ...status, handshake: this.handshake(id, Date.now()) };
      this.world.setStatus(id, status);
      await pause(takes);
      if (this.attempts.get(id) !== attempt) return;
      for (const list of LISTS.filter((list) => phaseOf(list) === phase)) {
        this.world.setList(id, this.loadList(id, list));
      }
    }
    this.world.setStatus(id, advance(status, 'ready', null));
  }

  async disconnect(id: ServerId): Promise<void> {
    this.nextAttempt(id);
    const { status } = this.world.server(id);
    this.world.setStatus(id, advance(status, 'cleaning_up', null));
    await pause(120);
    this.world.setStatus(id, disconnected());
  }

  /** Shows that a call is under way, until the function returned is called. */
  executing(id: ServerId): () => void {
    const ready = this.world.server(id).status;
    this.world.setStatus(id, { ...ready, phase: 'executing', since: Date.now() });
    return () => {
      if (this.world.server(id).status.phase !== 'executing') return;
      this.world.setStatus(id, { ...ready, since: Date.now() });
    };
  }

  private nextAttempt(id: ServerId): number {
    const attempt = (this.attempts.get(id) ?? 0) + 1;
    this.attempts.set(id, attempt);
    this.lastConnection += 1;
    return attempt;
  }

  private loadList(id: ServerId, list: ListKind): ListChange {
    const server = this.world.server(id);
    const items = this.world.items.get(listKey(id, list));
    const known = server.lists.find((change) => change.list === list);
    if (items && items.length <= 1000) {
      const row = this.world.record.begin({
        server,
        method: METHOD[list],
        target: 'page 1 of 1',
        request: { jsonrpc: '2.0', id: list, method: METHOD[list], params: {} },
      });
      this.world.record.settle(row, {
        outcome: 'ok',
        duration: 4.1,
        response: `{"jsonrpc":"2.0","id":"${list}","result":{"${MEMBER[list]}":[${items.map((item) => item.json).join(',')}]}}`,
      });
    }
    return {
      list,
      state: items ? { state: 'loaded' } : { state: 'unsupported' },
      count: items?.length ?? 0,
      problems: 0,
      fresh_for: null,
      warning: null,
      revision: (known?.revision ?? 0) + 1,
      added: [],
      removed: [],
      changed: [],
    };
  }

  private handshake(id: ServerId, at: number): HandshakeResult {
    const server = this.world.server(id);
    const capabilities = {
      logging: {},
      tools: { listChanged: true },
      resources: { subscribe: true },
    };
    const serverInfo = { name: `${server.name}-server`, title: server.name, version: '1.4.0' };
    const instructions =
      'Paths are relative to the project. Read before you write; every change is reported as a diff.';
    const row = this.world.record.begin({
      server,
      at,
      method: 'initialize',
      target: '2025-11-25',
      request: {
        jsonrpc: '2.0',
        id: 0,
        method: 'initialize',
        params: {
          protocolVersion: '2025-11-25',
          capabilities: { roots: { listChanged: true }, sampling: {}, elicitation: {} },
          clientInfo: { name: 'sightglass', version: '0.1.0' },
        },
      },
    });
    const settled = this.world.record.settle(row, {
      outcome: 'ok',
      duration: 1.2,
      response: {
        jsonrpc: '2.0',
        id: 0,
        result: { protocolVersion: '2025-11-25', capabilities, serverInfo, instructions },
      },
    });
    return {
      transport: server.transport ?? 'stdio',
      era: 'legacy',
      protocol_version: '2025-11-25',
      server_name: serverInfo.name,
      server_title: serverInfo.title,
      server_version: serverInfo.version,
      server_description: null,
      website: 'https://example.com/servers',
      icons: [],
      instructions,
      capabilities: Object.keys(capabilities),
      capabilities_json: JSON.stringify(capabilities),
      round_trip: 1.2,
      request_frame: settled.request_frame,
      response_frame: settled.response_frame ?? settled.request_frame,
      process: server.transport === 'stdio' ? 41_827 : null,
    };
  }
}

interface Step {
  phase: Phase;
  takes: number;
  detail: string | null;
  methods: readonly string[];
}

const PHASES: readonly Step[] = [
  { phase: 'connecting', takes: 62, detail: 'started process 41827', methods: [] },
  { phase: 'initializing', takes: 84, detail: null, methods: ['initialize'] },
  {
    phase: 'handshaking',
    takes: 12,
    detail: 'agreed on 2025-11-25',
    methods: ['notifications/initialized'],
  },
  { phase: 'listing_resources', takes: 9, detail: null, methods: ['resources/list'] },
  { phase: 'listing_tools', takes: 41, detail: null, methods: ['tools/list'] },
  { phase: 'listing_prompts', takes: 6, detail: null, methods: ['prompts/list'] },
];

function phaseOf(list: ListKind): Phase {
  switch (list) {
    case 'tools':
      return 'listing_tools';
    case 'prompts':
      return 'listing_prompts';
    default:
      return 'listing_resources';
  }
}

function advance(
  status: ConnectionStatus,
  phase: Phase,
  detail: string | null,
  methods: readonly string[] = [],
): ConnectionStatus {
  const now = Date.now();
  const past = status.timeline.map((record) =>
    record.duration === null ? { ...record, duration: now - (record.started ?? now) } : record,
  );
  return {
    ...status,
    phase,
    since: now,
    failure: null,
    timeline: [...past, phaseRecord(phase, now, null, detail, ...methods)],
  };
}
