import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type {
  ExchangeRow,
  Operation,
  OperationNode,
  OperationPage,
  OperationTree,
  TrafficQuery,
} from '@/backend/bindings';
import type { Selection } from '../filter/selection';
import { type LoadTree, OperationRows } from './operation-rows';

const ALL: Selection = {
  filter: '',
  kinds: [],
  invert: false,
  server: null,
  phases: false,
  checks: false,
};

function exchange(id: number): ExchangeRow {
  return {
    id,
    kind: 'request',
    direction: 'sent',
    connection: 1,
    serverId: 'built-in:demo',
    server: 'Demo',
    project: '/home/me/acme',
    projectLabel: null,
    at: id,
    method: 'tools/call',
    target: 'echo',
    outcome: 'ok',
    code: null,
    duration: 4,
    size: 100,
    requestFrame: id,
    responseFrame: id + 1,
    parent: null,
    foldedBefore: [],
    foldedRows: 0,
    bookmark: null,
  };
}

function operation(id: number, parts: number): Operation {
  return {
    root: exchange(id),
    parts,
    outcome: 'ok',
    task: null,
    rounds: 0,
    questions: 0,
    progress: 0,
    http: 0,
    lateResult: false,
    sure: true,
    duration: 4,
    personTime: 0,
    person: [],
    waitsForPerson: false,
  };
}

/** A record in memory. The operation of row n has rows n + 1 and so on below it. */
class Record {
  operations: Operation[] = [];
  asked: { id: number; offset: number; limit: number }[] = [];
  failure: unknown = null;
  isComplete = true;

  listTrafficOperations = async (
    { until }: TrafficQuery,
    offset: number,
    limit: number,
  ): Promise<OperationPage> => {
    const found = this.operations.filter(({ root }) => until === null || root.id <= until);
    const end = Math.max(0, found.length - offset);
    return {
      operations: found.slice(Math.max(0, end - limit), end),
      total: found.length,
      of: this.operations.length,
      ofChecks: 0,
      complete: true,
      oldest: null,
      problem: null,
    };
  };

  getTrafficOperation: LoadTree = async ({ id, folded }, offset, limit): Promise<OperationTree> => {
    this.asked.push({ id, offset, limit });
    if (this.failure) throw this.failure;
    const whole = this.operations.find(
      ({ root, parts }) => root.id <= id && id <= root.id + parts,
    ) as Operation;
    const nodes = [...this.#nodes(whole)].filter(
      ({ parent }) => parent === null || !folded?.includes(parent),
    );
    return {
      operation: whole,
      nodes: nodes.slice(offset, offset + limit),
      total: nodes.length,
      complete: this.isComplete,
    };
  };

  /** The second row has all the others but the first as its parts. */
  *#nodes({ root: { id: root }, parts }: Operation): Iterable<OperationNode> {
    yield { row: exchange(root), depth: 0, parent: null, edge: null, parts: Math.min(parts, 1) };
    for (let part = 1; part <= parts; part++) {
      yield {
        row: exchange(root + part),
        depth: part === 1 ? 1 : 2,
        parent: part === 1 ? root : root + 1,
        edge: { kind: 'progress', certainty: 'sure' },
        parts: part === 1 ? parts - 1 : 0,
      };
    }
  }
}

async function settled(): Promise<void> {
  await vi.advanceTimersByTimeAsync(40);
}

/** The rows that are shown, by their numbers. */
function lines(rows: OperationRows): (number | undefined)[] {
  return Array.from({ length: rows.count }, (_, line) => rows.row(line)?.row.id);
}

function lineAt(rows: OperationRows, line: number) {
  const found = rows.row(line);
  if (!found) throw new Error(`no line ${line}`);
  return found;
}

describe('the rows of operations', () => {
  let record: Record;
  let rows: OperationRows;
  const onFailure = vi.fn();

  beforeEach(async () => {
    onFailure.mockClear();
    vi.useFakeTimers();
    record = new Record();
    record.operations = [operation(10, 2), operation(20, 0), operation(30, 3)];
    rows = new OperationRows(record, ALL, onFailure);
    rows.open();
    rows.show(0, 20);
    await settled();
  });

  afterEach(() => {
    rows.close();
    vi.useRealTimers();
  });

  it('opens an operation into its rows, and folds it again', async () => {
    expect(lines(rows)).toEqual([10, 20, 30]);
    expect(lineAt(rows, 1).isOpen).toBeNull();
    rows.unfold(lineAt(rows, 0));
    expect(rows.count).toBe(5);
    expect(rows.list.follows).toBe(false);
    rows.show(0, 5);
    await settled();
    expect(lines(rows)).toEqual([10, 11, 12, 20, 30]);
    expect(lineAt(rows, 0).isOpen).toBe(true);
    expect(lineAt(rows, 2).node?.depth).toBe(2);
    rows.fold(lineAt(rows, 0));
    expect(lines(rows)).toEqual([10, 20, 30]);
  });

  it('folds a row of the tree, and goes from a row to the one above', async () => {
    rows.unfold(lineAt(rows, 2));
    rows.show(0, 6);
    await settled();
    expect(lines(rows)).toEqual([10, 20, 30, 31, 32, 33]);
    expect(rows.parentOf(lineAt(rows, 5))).toBe(3);
    expect(rows.parentOf(lineAt(rows, 3))).toBe(2);
    expect(rows.parentOf(lineAt(rows, 2))).toBeNull();
    rows.fold(lineAt(rows, 3));
    await settled();
    expect(lines(rows)).toEqual([10, 20, 30, 31]);
    expect(lineAt(rows, 3).isOpen).toBe(false);
    rows.unfold(lineAt(rows, 3));
    await settled();
    expect(rows.count).toBe(6);
  });

  it('loads of a tree with ten thousand rows what is seen', async () => {
    record.operations = [operation(10, 10_000)];
    rows.list.refresh();
    await settled();
    rows.unfold(lineAt(rows, 0));
    rows.show(0, 20);
    await settled();
    expect(rows.count).toBe(10_001);
    rows.show(9_900, 9_920);
    await settled();
    expect(rows.row(9_900)?.row.id).toBe(9_910);
    expect(rows.row(5_000)).toBeUndefined();
    expect(record.asked.reduce((sum, { limit }) => sum + limit, 0)).toBeLessThanOrEqual(256);
  });

  it('keeps the lines that are seen where they are when older operations are found', async () => {
    const pending: Operation = { ...operation(30, 3), outcome: 'pending', duration: null };
    record.operations = [operation(10, 2), operation(20, 0), pending];
    rows.list.refresh();
    await settled();
    rows.unfold(lineAt(rows, 2));
    rows.show(0, 6);
    await settled();
    expect(lines(rows)).toEqual([10, 20, 30, 31, 32, 33]);
    record.operations = [operation(5, 0), ...record.operations];
    rows.list.refresh();
    await settled();
    expect(lines(rows)).toEqual([5, 10, 20, 30, 31, 32, 33]);
    expect(rows.prepended).toBe(1);
  });

  it('asks for a tree again when the list says something new about its operation', async () => {
    const pending: Operation = { ...operation(30, 1), outcome: 'pending', duration: null };
    record.operations = [operation(10, 2), pending];
    rows.list.refresh();
    await settled();
    rows.unfold(lineAt(rows, 1));
    rows.show(0, 3);
    await settled();
    expect(lines(rows)).toEqual([10, 30, 31]);
    record.operations = [operation(10, 2), operation(30, 3)];
    rows.list.refresh();
    await settled();
    rows.show(0, 5);
    await settled();
    expect(lines(rows)).toEqual([10, 30, 31, 32, 33]);
    expect(lineAt(rows, 1).summary?.outcome).toBe('ok');
  });

  it('finds a row within its operation', async () => {
    const line = await rows.reveal(30, 32);
    expect(line).toBe(4);
    rows.show(0, 6);
    await settled();
    expect(rows.row(4)?.row.id).toBe(32);
    expect(await rows.reveal(20, 20)).toBe(1);
    expect(await rows.reveal(15, 15)).toBeNull();
  });

  it('closes a tree that cannot be read, and says why', async () => {
    record.failure = new Error('gone');
    rows.unfold(lineAt(rows, 0));
    rows.show(0, 5);
    await settled();
    expect(lines(rows)).toEqual([10, 20, 30]);
    expect(onFailure).toHaveBeenCalledExactlyOnceWith(record.failure);
  });

  it('forgets open trees when the record is cleared', async () => {
    rows.unfold(lineAt(rows, 0));
    record.operations = [];
    rows.reset();
    await settled();
    expect(rows.count).toBe(0);
  });
});
