import type { Backend } from '@/backend/backend';
import type { ExchangeId, ExchangeRow, Operation, OperationNode } from '@/backend/bindings';
import type { RowSource } from '@/components/virtual-table/row-source';
import { MARGIN } from '@/components/virtual-table/VirtualTable';
import { countOf, type Gap, PageCache } from '@/lib/page-cache';
import { PullStore } from '@/lib/pull-store';
import type { Selection } from '../filter/selection';
import { isSameRow } from '../messages/traffic-rows';
import { RecordRows, type RowTraits } from '../rows/record-rows';
import { type LinePlace, lineCount, lineOf, type OpenTree, placeOf } from './tree-layout';

export type LoadTree = Backend['getTrafficOperation'];

/** A line of the table: an operation, or a row of its tree. */
export interface OperationLine {
  readonly row: ExchangeRow;
  readonly operation: ExchangeId;
  /** The whole of it; null for a row beneath its root. */
  readonly summary: Operation | null;
  /** The row in its tree; null for the operation itself. */
  readonly node: OperationNode | null;
  /** True if what is beneath it is shown; null where there is nothing. */
  readonly isOpen: boolean | null;
}

const PAGE_SIZE = 64;
/** 4,096 rows of each tree. */
const MAX_PAGES = 64;
/** The most trees that are open at a time; the oldest are closed again. */
const MAX_OPEN = 32;
/** The most rows of one tree that are folded. */
const MAX_FOLDED = 256;
/** Rows of a tree among which one is looked for. */
const MAX_SEARCHED = 1_000;
/** Milliseconds between two questions about a tree while older rows are still looked at. */
const SEARCH_INTERVAL = 200;

/** A tree that is open. */
interface Tree {
  readonly id: ExchangeId;
  readonly cache: PageCache<OperationNode>;
  /** The place of its root in the list; null while that is not known. */
  index: number | null;
  /** The number of rows below the root. */
  lines: number;
  folded: readonly ExchangeId[];
  /** True if others are folded than in the rows at hand. */
  isRefolded: boolean;
  /** The operation as it was when the rows at hand were asked for. */
  seen: Operation | null;
}

type Placed = Tree & { index: number };

/** Rows of a tree that are shown and not at hand, or may have changed. */
interface TreeGap {
  readonly tree: Placed;
  readonly gap: Gap;
}

/**
 * The operations of a record as lines of a table, some of them opened into their trees.
 *
 * The list is kept by `list`; a tree is loaded by page, as far as it is seen, and again when the
 * list says something new about its operation. What comes in above the lines that are seen moves
 * them by `prepended`, so that they stay where they are.
 */
export class OperationRows extends PullStore<TreeGap> implements RowSource<OperationLine> {
  readonly list: RecordRows<Operation>;
  readonly #loadTree: LoadTree;
  readonly #onFailure: (reason: unknown) => void;
  readonly #lines = new WeakMap<Operation | OperationNode, OperationLine>();
  /** In the order in which they were opened. */
  #trees: readonly Tree[] = [];
  /** Those whose place is known, in the order of the list. */
  #placed: readonly Placed[] = [];
  #shown = { first: 0, end: 0 };
  #prepended = 0;
  #generation = 0;
  /** The list as it was when the lines were laid out. */
  #seen = { version: -1, prepended: 0 };
  #unsubscribe: (() => void) | null = null;
  #searchTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    load: Pick<Backend, 'listTrafficOperations' | 'getTrafficOperation'>,
    selection: Selection,
    onFailure: (reason: unknown) => void,
  ) {
    super();
    this.list = operationList(load.listTrafficOperations, selection);
    this.#loadTree = load.getTrafficOperation;
    this.#onFailure = onFailure;
  }

  get count(): number {
    this.#sync();
    return lineCount(this.list.count, this.#open);
  }

  get prepended(): number {
    this.#sync();
    return this.#prepended;
  }

  get generation(): number {
    this.#sync();
    return this.#generation;
  }

  row(line: number): OperationLine | undefined {
    this.#sync();
    const { index, offset } = placeOf(line, this.#open);
    const tree = this.#placed.find((placed) => placed.index === index);
    if (tree === undefined || offset === 0) {
      const operation = this.list.row(index);
      return operation && this.#lineOf(operation, tree !== undefined);
    }
    const node = tree.cache.row(offset);
    return node && this.#nodeLine(tree, node);
  }

  show(first: number, end: number): void {
    this.#shown = { first, end };
    this.#sync();
    const from = placeOf(first, this.#open).index;
    const to = end > first ? placeOf(end - 1, this.#open).index + 1 : from;
    this.list.show(from, to);
    this.pull();
  }

  /** The rows at hand, in no order. */
  *atHand(): Iterable<ExchangeRow> {
    for (const { root } of this.list.atHand()) yield root;
    for (const { cache } of this.#trees) for (const { row } of cache.rows()) yield row;
  }

  /** Shows what is beneath a line. The view stays where it is. */
  unfold(line: OperationLine): void {
    if (line.isOpen !== false) return;
    this.list.hold();
    if (line.summary) this.#openTree(line.summary, this.list.indexOf(line.operation));
    else this.#refold(line, (folded) => folded.filter((id) => id !== line.row.id));
  }

  /** Folds away what is beneath a line. */
  fold(line: OperationLine): void {
    if (line.isOpen !== true) return;
    if (line.summary) this.#closeTree(line.operation);
    else this.#refold(line, (folded) => [...folded, line.row.id].slice(-MAX_FOLDED));
  }

  /**
   * Opens the operation that a row is part of, where it is listed, and returns the line of the row;
   * of one that is far down, the line of the operation.
   */
  async reveal(operation: ExchangeId, id: ExchangeId): Promise<number | null> {
    const index = await this.list.reveal(operation);
    if (index === null) return null;
    let offset = 0;
    if (id !== operation) {
      const known = this.#trees.find((open) => open.id === operation);
      const folded = [...(known?.folded ?? [])];
      const tree = await this.#loadTree({ id: operation, folded }, 0, MAX_SEARCHED);
      this.#openTree(tree.operation, index);
      offset = Math.max(
        0,
        tree.nodes.findIndex(({ row }) => row.id === id),
      );
    }
    return lineOf({ index, offset }, this.#open);
  }

  /** The line of what a line is part of, if its place is known. */
  parentOf({ operation, node }: OperationLine): number | null {
    if (node === null) return null;
    return this.#lineOfRow(operation, node.parent ?? operation);
  }

  /** The line of a row of an open tree. */
  lineOf({ operation, row }: OperationLine): number | null {
    return this.#lineOfRow(operation, row.id);
  }

  /** The record was cleared. */
  reset(): void {
    this.#arrange(null, () => {
      this.#trees = [];
    });
    this.changed();
    this.list.reset();
  }

  override open(): void {
    this.#unsubscribe = this.list.subscribe(() => {
      this.#sync();
      this.changed();
      this.pull();
    });
    this.list.open();
    super.open();
  }

  override close(): void {
    super.close();
    this.#unsubscribe?.();
    clearTimeout(this.#searchTimer);
    this.list.close();
  }

  get #open(): readonly OpenTree[] {
    return this.#placed;
  }

  #openTree(operation: Operation, index: number | null): void {
    const { id } = operation.root;
    if (this.#trees.some((tree) => tree.id === id)) return;
    const tree: Tree = {
      id,
      cache: new PageCache(PAGE_SIZE, MAX_PAGES),
      index,
      lines: operation.parts,
      folded: [],
      isRefolded: false,
      seen: operation,
    };
    this.#arrange(tree.index, () => {
      this.#trees = [...this.#trees, tree].slice(-MAX_OPEN);
    });
    this.changed();
    this.pull();
  }

  #closeTree(id: ExchangeId): void {
    const tree = this.#trees.find((open) => open.id === id);
    if (!tree) return;
    this.#arrange(tree.index, () => {
      this.#trees = this.#trees.filter((open) => open !== tree);
    });
    this.changed();
  }

  #refold(
    { operation }: OperationLine,
    change: (folded: readonly ExchangeId[]) => readonly ExchangeId[],
  ): void {
    const tree = this.#trees.find((open) => open.id === operation);
    if (!tree) return;
    tree.folded = change(tree.folded);
    tree.isRefolded = true;
    tree.cache.markStale();
    this.changed();
    this.pull();
  }

  #lineOfRow(operation: ExchangeId, id: ExchangeId): number | null {
    const tree = this.#placed.find((placed) => placed.id === operation);
    if (!tree) return null;
    const offset = id === operation ? 0 : tree.cache.offsetOf(({ row }) => row.id === id);
    // The row above may be pages away; its root is not.
    return lineOf({ index: tree.index, offset: offset ?? 0 }, this.#open);
  }

  /** Lays the lines out anew where the list changed. */
  #sync(): void {
    if (this.list.getVersion() !== this.#seen.version) this.#arrange(null, () => undefined);
  }

  /**
   * Lays the lines out as they are after `change`. The line at `still`, by its place in the list,
   * stays where it is; without one, the first that is seen.
   */
  #arrange(still: number | null, change: () => void): void {
    const { list } = this;
    const first = this.#shown.first === 0 ? 0 : this.#shown.first + MARGIN;
    const line = still === null ? first : lineOf({ index: still, offset: 0 }, this.#open);
    const place = placeOf(line, this.#open);
    const isOther = list.generation !== this.#generation;
    const inserted = list.prepended - this.#seen.prepended;
    this.#seen = { version: list.getVersion(), prepended: list.prepended };
    change();
    for (const tree of this.#trees) {
      if (isOther) tree.index = null;
      else if (tree.index !== null) tree.index += inserted;
      this.#place(tree);
    }
    this.#placed = this.#trees
      .filter((tree): tree is Placed => tree.index !== null && tree.index < list.count)
      .sort((one, other) => one.index - other.index);
    if (isOther) {
      this.#generation = list.generation;
      this.#prepended = 0;
    } else {
      const moved: LinePlace = { ...place, index: place.index + inserted };
      this.#prepended += lineOf(moved, this.#open) - line;
    }
  }

  /** Finds a tree's root in the list, and what is new about it. */
  #place(tree: Tree): void {
    const isAt = (index: number | null) =>
      index !== null && this.list.row(index)?.root.id === tree.id;
    if (!isAt(tree.index)) {
      const found = this.list.indexOf(tree.id);
      const isElsewhere = tree.index !== null && this.list.row(tree.index) !== undefined;
      if (found !== null || isElsewhere) tree.index = found;
    }
    const operation = tree.index === null ? undefined : this.list.row(tree.index);
    if (operation === undefined || operation === tree.seen) return;
    tree.seen = operation;
    tree.cache.markStale();
  }

  protected next(): TreeGap | null {
    this.#sync();
    for (const tree of this.#placed) {
      const root = lineOf({ index: tree.index, offset: 0 }, this.#open);
      const first = Math.max(this.#shown.first, root + 1) - root;
      const end = Math.min(this.#shown.end, root + 1 + tree.lines) - root;
      const gap = tree.cache.gap(first, end);
      if (gap) return { tree, gap };
    }
    return null;
  }

  protected async load({ tree, gap }: TreeGap, isCurrent: () => boolean): Promise<void> {
    const { folded } = tree;
    const query = { id: tree.id, folded: [...folded] };
    const answer = await this.#loadTree(query, gap.first, gap.end - gap.first);
    if (!isCurrent() || !this.#trees.includes(tree) || tree.folded !== folded) return;
    const nodes = tree.cache.reuse(answer.nodes, ({ row }) => row.id, isSameNode);
    const total = countOf(gap, nodes.length, answer.total);
    this.#arrange(null, () => {
      if (tree.isRefolded) tree.cache.clear();
      tree.isRefolded = false;
      tree.cache.store(gap.first, nodes);
      tree.lines = Math.max(0, total - 1);
    });
    this.changed();
    if (!answer.complete) this.#searchOn(tree);
  }

  protected fail(reason: unknown, { tree }: TreeGap): void {
    this.#closeTree(tree.id);
    this.#onFailure(reason);
    // Other trees may be readable.
    this.pull();
  }

  #searchOn(tree: Tree): void {
    clearTimeout(this.#searchTimer);
    this.#searchTimer = setTimeout(() => {
      tree.cache.markStale();
      this.pull();
    }, SEARCH_INTERVAL);
  }

  #lineOf(operation: Operation, isOpened: boolean): OperationLine {
    const isOpen = operation.parts > 0 ? isOpened : null;
    const known = this.#lines.get(operation);
    if (known?.isOpen === isOpen) return known;
    const { root: row } = operation;
    const line = { row, operation: row.id, summary: operation, node: null, isOpen };
    this.#lines.set(operation, line);
    return line;
  }

  #nodeLine(tree: Tree, node: OperationNode): OperationLine {
    const isOpen = node.parts > 0 ? !tree.folded.includes(node.row.id) : null;
    const known = this.#lines.get(node);
    if (known?.isOpen === isOpen) return known;
    const line = { row: node.row, operation: tree.id, summary: null, node, isOpen };
    this.#lines.set(node, line);
    return line;
  }
}

function isSameNode(known: OperationNode, node: OperationNode): boolean {
  return (
    isSameRow(known.row, node.row) &&
    known.depth === node.depth &&
    known.parent === node.parent &&
    known.parts === node.parts &&
    known.edge?.kind === node.edge?.kind &&
    known.edge?.certainty === node.edge?.certainty
  );
}

const TRAITS: RowTraits<Operation> = {
  idOf: (operation) => operation.root.id,
  isPending: (operation) => operation.outcome === 'pending',
  isSame: (known, operation) =>
    isSameRow(known.root, operation.root) &&
    known.outcome === operation.outcome &&
    known.parts === operation.parts &&
    known.task === operation.task &&
    known.rounds === operation.rounds &&
    known.questions === operation.questions &&
    known.lateResult === operation.lateResult &&
    known.sure === operation.sure &&
    known.duration === operation.duration &&
    known.personTime === operation.personTime &&
    known.waitsForPerson === operation.waitsForPerson,
};

/** Returns the operations of which a message matches a selection. */
function operationList(
  load: Backend['listTrafficOperations'],
  selection: Selection,
): RecordRows<Operation> {
  return new RecordRows(
    async (query, offset, limit) => {
      const { operations: rows, ...page } = await load(query, offset, limit);
      return { ...page, rows };
    },
    TRAITS,
    selection,
  );
}
