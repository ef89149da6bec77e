import type { Unsubscribe } from '../backend';
import type {
  AuthView,
  ConnectionStatus,
  Fact,
  InspectorEvent,
  ListChange,
  RecordRevision,
  ServerId,
  ServerRequest,
  ServerView,
  Settlement,
  Snapshot,
} from '../bindings';
import { FakeRecord } from './record';

/** One item as a server would list it: the name it goes by, and its JSON. */
export interface FakeItem {
  name: string;
  title?: string;
  description?: string;
  json: string;
}

/** Everything the fake backend knows. The scenarios fill it; commands read and change it. */
export class FakeWorld {
  readonly snapshot: Snapshot;
  readonly record = new FakeRecord();
  /** The items of each list of each server. */
  readonly items = new Map<string, FakeItem[]>();
  /** The arguments last used, by server and tool. */
  readonly lastArguments = new Map<string, string>();
  /** How the sign-in of each server stands, where there is one. */
  readonly auth = new Map<ServerId, AuthView>();
  private readonly eventListeners = new Set<(batch: InspectorEvent[]) => void>();
  private readonly trafficListeners = new Set<(pulse: RecordRevision) => void>();

  constructor(snapshot: Snapshot) {
    this.snapshot = snapshot;
    this.record.onChange = () => this.pulse();
  }

  onEvents(listener: (batch: InspectorEvent[]) => void): Unsubscribe {
    this.eventListeners.add(listener);
    return () => this.eventListeners.delete(listener);
  }

  onTraffic(listener: (pulse: RecordRevision) => void): Unsubscribe {
    this.trafficListeners.add(listener);
    listener(this.record.pulse());
    return () => this.trafficListeners.delete(listener);
  }

  /** Sends facts as one batch, each with the next number. */
  tell(...facts: Fact[]): void {
    const batch = facts.map((fact) => {
      this.snapshot.sequence += 1;
      return { sequence: this.snapshot.sequence, fact };
    });
    for (const listener of this.eventListeners) listener(batch);
  }

  server(id: ServerId): ServerView {
    const server = this.snapshot.servers.find((known) => known.id === id);
    if (!server) throw { code: 'unknown_server', message: `There is no server ${id}.`, hint: null };
    return server;
  }

  setStatus(id: ServerId, status: ConnectionStatus): void {
    const server = this.server(id);
    server.status = status;
    this.tell({ type: 'connection', event: { type: 'status', server: id, status } });
  }

  setAuth(view: AuthView): void {
    this.auth.set(view.server, view);
    this.tell({ type: 'auth', view });
  }

  setList(id: ServerId, change: ListChange): void {
    const server = this.server(id);
    server.lists = [...server.lists.filter((known) => known.list !== change.list), change];
    this.tell({ type: 'connection', event: { type: 'list', server: id, change } });
  }

  ask(request: ServerRequest): void {
    this.snapshot.requests.push(request);
    this.tell({ type: 'connection', event: { type: 'request_arrived', request } });
  }

  settle(id: number, how: Settlement = 'answered'): void {
    this.snapshot.requests = this.snapshot.requests.filter((request) => request.id !== id);
    this.tell({ type: 'connection', event: { type: 'request_settled', id, how } });
  }

  tellServers(): void {
    const { servers, files } = this.snapshot;
    this.tell({ type: 'servers', servers: [...servers], files: [...files] });
  }

  private pulse(): void {
    for (const listener of this.trafficListeners) listener(this.record.pulse());
  }
}

/** The name under which a list of a server is kept. */
export function listKey(server: ServerId, list: string): string {
  return `${server}\n${list}`;
}
