import type {
  Direction,
  ExchangeDetail,
  ExchangeKind,
  ExchangeRow,
  FilterProblem,
  FrameId,
  HttpFacts,
  LinePage,
  Outcome,
  PayloadQuery,
  RecordRevision,
  TrafficPage,
  TrafficQuery,
} from '../bindings';

interface Frame {
  direction: Direction;
  at: number;
  payload: string;
}

interface Entry {
  row: ExchangeRow;
  http: HttpFacts | null;
}

/** What one exchange is about; ids, sizes and times are the record's own. */
export interface NewExchange {
  server: { id: string; name: string };
  kind?: ExchangeKind;
  direction?: Direction;
  method: string;
  target?: string;
  request: unknown;
  http?: HttpFacts;
  at?: number;
}

/** How an exchange ended. */
export interface Settlement {
  outcome: Outcome;
  response: unknown;
  code?: number | null;
  duration: number;
}

/** The record of the fake backend: everything in memory, payloads as text. */
export class FakeRecord {
  onChange: () => void = () => {};
  private frames = new Map<FrameId, Frame>();
  private entries: Entry[] = [];
  private lastFrame = 0;
  private revision = 0;
  /** Payloads split into lines, for the last few that were looked at. */
  private lines = new Map<string, string[]>();

  pulse(): RecordRevision {
    return { frames: this.frames.size, revision: this.revision };
  }

  /** Adds a row; `settle` completes it. Notifications and lines need no settling. */
  begin(exchange: NewExchange): ExchangeRow {
    const { server, kind = 'request', direction = 'sent', method, target = '', http } = exchange;
    const at = exchange.at ?? Date.now();
    const frame = this.addFrame(direction, at, exchange.request);
    const row: ExchangeRow = {
      id: frame,
      kind,
      direction,
      connection: 1,
      server_id: server.id,
      server: server.name,
      at,
      method,
      target,
      outcome: kind === 'request' || kind === 'http' || kind === 'oauth' ? 'pending' : 'none',
      code: null,
      duration: null,
      size: this.sizeOf(frame),
      request_frame: frame,
      response_frame: null,
    };
    this.entries.push({ row, http: http ?? null });
    this.changed();
    return row;
  }

  settle(row: ExchangeRow, { outcome, response, code = null, duration }: Settlement): ExchangeRow {
    const answered = outcome === 'ok' || outcome === 'error';
    const direction: Direction = row.direction === 'sent' ? 'received' : 'sent';
    const frame = answered ? this.addFrame(direction, (row.at ?? 0) + duration, response) : null;
    const settled: ExchangeRow = {
      ...row,
      outcome,
      code,
      duration,
      response_frame: frame,
      size: this.sizeOf(row.request_frame) + (frame === null ? 0 : this.sizeOf(frame)),
    };
    const index = this.entries.findIndex((entry) => entry.row.id === row.id);
    const entry = this.entries[index];
    if (entry) this.entries[index] = { ...entry, row: settled };
    this.changed();
    return settled;
  }

  clear(): void {
    this.entries = [];
    this.frames.clear();
    this.lines.clear();
    this.changed();
  }

  window(query: TrafficQuery, offset: number, limit: number): TrafficPage {
    const matching = this.entries.filter(({ row }) => matches(row, query)).map(({ row }) => row);
    const end = Math.max(0, matching.length - offset);
    return {
      rows: matching.slice(Math.max(0, end - limit), end),
      total: matching.length,
      complete: true,
      problem: problemIn(query.filter),
    };
  }

  detail(id: number): ExchangeDetail {
    const entry = this.entries.find(({ row }) => row.id === id);
    if (!entry) throw { code: 'not_found', message: `There is no row ${id}.`, hint: null };
    const ids = [entry.row.request_frame, entry.row.response_frame].filter(
      (frame) => frame !== null,
    );
    return {
      row: entry.row,
      frames: ids.map((frame) => {
        const { direction, at } = this.frame(frame);
        return { id: frame, direction, at, size: this.sizeOf(frame), redacted: false };
      }),
      http: entry.http,
    };
  }

  text(query: PayloadQuery): string {
    const { payload } = this.frame(query.frame);
    if (query.form === 'raw' && query.pointer === '') return payload;
    let value: unknown;
    try {
      value = atPointer(JSON.parse(payload), query.pointer);
    } catch {
      return payload;
    }
    if (query.form === 'text' && typeof value === 'string') return value;
    return JSON.stringify(value, null, query.form === 'pretty' ? 2 : undefined) ?? '';
  }

  payloadLines(query: PayloadQuery, firstLine: number, count: number): LinePage {
    const key = `${query.frame}\n${query.pointer}\n${query.form}`;
    let lines = this.lines.get(key);
    if (!lines) {
      lines = this.text(query).split('\n').flatMap(wrap);
      if (this.lines.size > 8) this.lines.clear();
      this.lines.set(key, lines);
    }
    return {
      lines: lines.slice(firstLine, firstLine + count),
      numbers: lines.slice(firstLine, firstLine + count).map((_, index) => firstLine + index + 1),
      first_line: firstLine,
      total_lines: lines.length,
      total_size: lines.reduce((size, line) => size + line.length + 1, -1),
    };
  }

  private addFrame(direction: Direction, at: number, payload: unknown): FrameId {
    this.lastFrame += 1;
    const text = typeof payload === 'string' ? payload : JSON.stringify(payload);
    this.frames.set(this.lastFrame, { direction, at, payload: text });
    return this.lastFrame;
  }

  private frame(id: FrameId): Frame {
    const frame = this.frames.get(id);
    if (!frame) throw { code: 'not_found', message: `There is no frame ${id}.`, hint: null };
    return frame;
  }

  private sizeOf(id: FrameId): number {
    return this.frame(id).payload.length;
  }

  private changed(): void {
    this.revision += 1;
    this.onChange();
  }
}

const LONGEST_LINE = 2000;

function wrap(line: string): string[] {
  if (line.length <= LONGEST_LINE) return [line];
  const parts: string[] = [];
  for (let at = 0; at < line.length; at += LONGEST_LINE)
    parts.push(line.slice(at, at + LONGEST_LINE));
  return parts;
}

/** The value at a JSON pointer (RFC 6901). */
export function atPointer(value: unknown, pointer: string): unknown {
  const steps = pointer.split('/').slice(1);
  return steps.reduce<unknown>((inner, step) => {
    const name = step.replaceAll('~1', '/').replaceAll('~0', '~');
    return (inner as Record<string, unknown> | undefined)?.[name];
  }, value);
}

/** A small part of the filter language, enough to try the window out. */
function matches(row: ExchangeRow, query: TrafficQuery): boolean {
  if (query.kinds.length > 0 && !query.kinds.includes(row.kind)) return false;
  if (query.server !== null && row.server_id !== query.server) return false;
  if (query.until !== null && row.id > query.until) return false;
  const words = query.filter.toLowerCase().split(/\s+/).filter(Boolean);
  const found = words.every((word) => matchesWord(row, word));
  return words.length === 0 || found !== query.invert;
}

/** Finds a comparison without a sign, as the host does. */
function problemIn(filter: string): FilterProblem | null {
  const wrong = /(?<=^|\s)(?:dur|size):(?![<>=])\S*/.exec(filter);
  if (!wrong) return null;
  const start = [...filter.slice(0, wrong.index)].length;
  return {
    message: 'Say more or less than, for instance dur:>200ms',
    start,
    end: start + [...wrong[0]].length,
  };
}

function matchesWord(row: ExchangeRow, word: string): boolean {
  const [, name, value = ''] = /^(\w+):(.*)$/.exec(word) ?? [];
  switch (name) {
    case 'method':
      return row.method.toLowerCase().includes(value);
    case 'server':
      return row.server.toLowerCase().includes(value);
    case 'status':
      return row.outcome === value || String(row.code) === value;
    case 'kind':
      return row.kind === value;
    case 'dur':
      return compare(row.duration ?? 0, value, { ms: 1, s: 1000 });
    case 'size':
      return compare(row.size ?? 0, value, { b: 1, kb: 1024, mb: 1024 * 1024 });
    case 'id':
      return String(row.id) === value;
    default:
      return `${row.method} ${row.target} ${row.server}`.toLowerCase().includes(word);
  }
}

function compare(actual: number, wanted: string, units: Record<string, number>): boolean {
  const [, sign, number, unit = ''] = /^([<>]?)([\d.]+)([a-z]*)$/.exec(wanted) ?? [];
  if (number === undefined) return true;
  const limit = Number(number) * (units[unit] ?? 1);
  return sign === '<' ? actual < limit : actual > limit;
}
