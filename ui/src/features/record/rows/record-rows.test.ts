import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ExchangeRow, TrafficPage, TrafficQuery } from '@/backend/bindings';
import type { Selection } from '../filter/selection';
import { type TrafficRows, trafficRows } from '../messages/traffic-rows';
import type { LoadWindow } from './record-rows';

const ALL: Selection = {
  filter: '',
  kinds: [],
  invert: false,
  server: null,
  phases: false,
  checks: false,
};

function exchange(id: number, outcome: ExchangeRow['outcome'] = 'ok'): ExchangeRow {
  return {
    id,
    kind: 'request',
    direction: 'sent',
    connection: 1,
    serverId: 'built-in:demo',
    server: 'Demo',
    project: '/home/me/acme',
    projectLabel: null,
    at: 1_000 * id,
    method: 'tools/call',
    target: 'echo',
    outcome,
    code: null,
    duration: outcome === 'pending' ? null : 4,
    size: 100,
    requestFrame: id,
    responseFrame: outcome === 'pending' ? null : id + 1,
    parent: null,
    foldedBefore: [],
    foldedRows: 0,
    bookmark: null,
  };
}

/** A record in memory, which answers only when told to. */
class Record {
  rows: ExchangeRow[] = [];
  queries: { query: TrafficQuery; offset: number; limit: number }[] = [];
  underWay = 0;
  mostUnderWay = 0;
  /** The number of matching rows, from the newest, that the search has reached. */
  searched = Number.POSITIVE_INFINITY;
  failure: unknown = null;
  #waiting: (() => void)[] = [];

  constructor(count: number) {
    this.add(count);
  }

  add(count: number, outcome: ExchangeRow['outcome'] = 'ok'): void {
    for (let index = 0; index < count; index++) {
      this.rows.push(exchange((this.rows.at(-1)?.id ?? 0) + 1, outcome));
    }
  }

  load: LoadWindow<ExchangeRow> = async (query, offset, limit) => {
    this.queries.push({ query, offset, limit });
    this.underWay += 1;
    this.mostUnderWay = Math.max(this.mostUnderWay, this.underWay);
    await new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.underWay -= 1;
    if (this.failure) throw this.failure;
    return this.#window(query, offset, limit);
  };

  #window(query: TrafficQuery, offset: number, limit: number): TrafficPage {
    const until = query.until ?? null;
    const matching = this.rows.filter(
      (row) =>
        (until === null || row.id <= until) &&
        row.method.includes(query.filter) &&
        !(row.parent !== null && query.folded?.includes(row.parent)),
    );
    const total = Math.min(matching.length, this.searched);
    const reached = matching.slice(matching.length - total);
    const end = Math.max(0, total - offset);
    return {
      rows: reached.slice(Math.max(0, end - limit), end),
      total,
      of: this.rows.length,
      ofChecks: 0,
      complete: total === matching.length,
      problem: null,
    };
  }

  /** Answers until nothing more is asked. */
  async answer(): Promise<void> {
    for (let round = 0; round < 50; round++) {
      const waiting = this.#waiting.splice(0);
      for (const resume of waiting) resume();
      await flush();
      if (this.#waiting.length === 0) return;
    }
    throw new Error('the queries do not end');
  }
}

async function flush(): Promise<void> {
  for (let turn = 0; turn < 10; turn++) await Promise.resolve();
}

/** Shows the last ten rows, as a table that follows does. */
function showEnd(rows: TrafficRows): void {
  rows.show(Math.max(0, rows.count - 10), rows.count);
}

async function following(record: Record): Promise<TrafficRows> {
  const rows = trafficRows(record.load, ALL);
  rows.open();
  await record.answer();
  showEnd(rows);
  await record.answer();
  return rows;
}

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

describe('a view that follows the record', () => {
  it('shows the newest rows', async () => {
    const rows = await following(new Record(1_000));
    expect(rows.count).toBe(1_000);
    expect(rows.row(999)?.id).toBe(1_000);
    expect(rows.row(990)?.id).toBe(991);
    expect(rows.row(0)).toBeUndefined();
  });

  it('never has more than one query under way, however fast the record grows', async () => {
    const record = new Record(100);
    const rows = await following(record);
    record.queries = [];
    for (let change = 0; change < 40; change++) {
      record.add(5);
      rows.refresh();
    }
    await record.answer();
    expect(record.mostUnderWay).toBe(1);
    expect(record.queries.length).toBeLessThanOrEqual(2);
    expect(rows.row(rows.count - 1)?.id).toBe(300);
  });

  it('completes a pending row in place, and leaves the others as they are', async () => {
    const record = new Record(20);
    record.add(1, 'pending');
    const rows = await following(record);
    const before = rows.row(19);
    expect(rows.row(20)?.outcome).toBe('pending');
    record.rows[20] = exchange(21, 'error');
    rows.refresh();
    await record.answer();
    expect(rows.row(20)?.outcome).toBe('error');
    expect(rows.row(19)).toBe(before);
  });

  it('loads more rows when more are seen', async () => {
    const record = new Record(1_000);
    const rows = await following(record);
    rows.show(880, 1_000);
    await record.answer();
    expect(rows.row(880)?.id).toBe(881);
  });
});

describe('a view that stands still', () => {
  it('keeps its rows where they are while more arrive, and counts those', async () => {
    const record = new Record(1_000);
    const rows = await following(record);
    rows.hold();
    rows.show(500, 520);
    await record.answer();
    expect(rows.row(500)?.id).toBe(501);
    record.add(37);
    rows.refresh();
    await record.answer();
    expect(rows.count).toBe(1_000);
    expect(rows.row(500)?.id).toBe(501);
    expect(rows.newer).toBe(37);
  });

  it('loads nothing but the count while no row that is shown can change', async () => {
    const record = new Record(1_000);
    const rows = await following(record);
    rows.hold();
    rows.show(500, 520);
    await record.answer();
    record.queries = [];
    record.add(1);
    rows.refresh();
    await record.answer();
    expect(record.queries.map(({ limit }) => limit)).toEqual([1]);
  });

  it('goes back to the newest row when it follows again', async () => {
    const record = new Record(100);
    const rows = await following(record);
    rows.hold();
    record.add(50);
    rows.refresh();
    await record.answer();
    rows.follow();
    await record.answer();
    expect(rows.follows).toBe(true);
    expect(rows.count).toBe(150);
    expect(rows.newer).toBe(0);
    expect(rows.row(149)?.id).toBe(150);
  });

  it('says how many older rows a search still found before the first', async () => {
    const record = new Record(1_000);
    record.searched = 200;
    const rows = await following(record);
    rows.hold();
    rows.show(0, 20);
    await record.answer();
    expect(rows.row(0)?.id).toBe(801);
    record.searched = 500;
    vi.advanceTimersByTime(100);
    await record.answer();
    expect(rows.count).toBe(500);
    expect(rows.prepended).toBe(300);
    rows.show(300, 320);
    await record.answer();
    expect(rows.row(300)?.id).toBe(801);
  });
});

describe('a pause', () => {
  it('holds at the newest row of the record, also for another filter', async () => {
    const record = new Record(100);
    const rows = await following(record);
    rows.pause();
    await record.answer();
    record.add(20);
    rows.refresh();
    await record.answer();
    expect(rows.newer).toBe(20);
    rows.select({ ...ALL, filter: 'tools' });
    await record.answer();
    expect(rows.count).toBe(100);
    rows.resume();
    await record.answer();
    expect(rows.count).toBe(120);
    expect(rows.newer).toBe(0);
  });

  it('of an empty record shows nothing', async () => {
    const record = new Record(0);
    const rows = await following(record);
    rows.pause();
    await record.answer();
    record.add(3);
    rows.refresh();
    await record.answer();
    expect(rows.count).toBe(0);
    expect(rows.newer).toBe(3);
  });
});

describe('another selection', () => {
  it('leaves the rows until the first answer, then begins anew', async () => {
    const record = new Record(100);
    const rows = await following(record);
    const { generation } = rows;
    rows.select({ ...ALL, filter: 'resources' });
    expect(rows.count).toBe(100);
    expect(rows.row(99)?.id).toBe(100);
    await record.answer();
    expect(rows.count).toBe(0);
    expect(rows.generation).toBe(generation + 1);
  });

  it('takes no answer to the one before', async () => {
    const record = new Record(100);
    const rows = await following(record);
    rows.refresh();
    rows.select({ ...ALL, filter: 'resources' });
    await record.answer();
    expect(rows.count).toBe(0);
  });
});

describe('a record that cannot be read', () => {
  it('is asked again by the next revision, not in a loop', async () => {
    const record = new Record(10);
    const rows = await following(record);
    record.failure = new Error('disk');
    record.queries = [];
    rows.refresh();
    await record.answer();
    expect(record.queries.length).toBe(1);
    expect(rows.failure).toBe(record.failure);
    record.failure = null;
    rows.refresh();
    await record.answer();
    expect(rows.failure).toBeNull();
  });

  it('does not ask for ever for rows that are gone', async () => {
    const record = new Record(1_000);
    const rows = await following(record);
    rows.hold();
    record.rows = record.rows.slice(600);
    rows.show(0, 20);
    await record.answer();
    expect(rows.count).toBeLessThan(1_000);
  });

  it('folds the rows of a call away where they are, without leaving the place', async () => {
    const record = new Record(200);
    const call = record.rows[100];
    for (const row of record.rows.slice(101, 111)) row.parent = call?.id ?? null;
    const rows = await following(record);
    rows.hold();
    rows.show(95, 115);
    await record.answer();
    expect(rows.row(100)?.id).toBe(101);
    const { generation, prepended } = rows;
    rows.fold([101]);
    // What is drawn stays until the answer.
    expect(rows.row(101)?.id).toBe(102);
    await record.answer();
    expect(rows.count).toBe(190);
    expect(rows.row(100)?.id).toBe(101);
    expect(rows.row(101)?.id).toBe(112);
    expect([rows.generation, rows.prepended]).toEqual([generation, prepended]);
    rows.fold([]);
    await record.answer();
    expect(rows.row(101)?.id).toBe(102);
    expect(rows.row(112)?.id).toBe(113);
  });
});
