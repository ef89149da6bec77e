import type { ScopeFileView, ServerView } from '@/backend/bindings';
import { fileKey, type ServerGroup } from '@/state/servers/groups';
import { SIDEBAR } from './texts';

/** Heights as in the styles: of rows, and of the headings of groups. */
export const ROW_SIZE = 28;
const HEADING_SIZE = 32;

/** Stands before the id of a group in the key of its row, where it is collapsed. */
export const GROUP = 'group:';

/** Shown by a row, and found by typing the beginning of `text`. */
type Entry = { readonly id: string; readonly text: string } & (
  | { readonly kind: 'server'; readonly item: ServerView }
  | { readonly kind: 'file'; readonly item: ScopeFileView }
  | { readonly kind: 'group'; readonly item: ServerGroup }
);

/** A row, and where it begins in its part, in pixels. */
export type Line = Entry & { readonly top: number };

/** Rows below a heading, which those of a collapsed group do without. */
export interface Part {
  readonly title: string;
  /** Absent for what a search found. */
  readonly group?: ServerGroup;
  readonly isFolded: boolean;
  readonly top: number;
  readonly height: number;
  /** The place of its first row among all rows. */
  readonly first: number;
  readonly lines: readonly Line[];
}

/** The rows of the sidebar, and where each of them stands. */
export class Layout {
  readonly parts: Part[] = [];
  readonly lines: Line[] = [];
  height = 0;

  constructor(
    groups: readonly ServerGroup[],
    folded: ReadonlySet<string>,
    found: readonly ServerView[] | null,
    total: number,
  ) {
    if (found !== null) {
      if (found.length > 0) this.add(SIDEBAR.matches(found.length, total), found.map(entryOf));
      return;
    }
    for (const group of groups) {
      const { id, title, files, servers } = group;
      if (folded.has(id)) {
        const text = SIDEBAR.collapsed(title, servers.length);
        this.add(title, [{ id: GROUP + id, text, kind: 'group', item: group }], group, true);
      } else this.add(title, [...files.map(entryOfFile), ...servers.map(entryOf)], group);
    }
  }

  private add(title: string, entries: readonly Entry[], group?: ServerGroup, isFolded = false) {
    const start = isFolded ? 0 : HEADING_SIZE;
    const lines = entries.map((entry, at): Line => ({ ...entry, top: start + at * ROW_SIZE }));
    const height = start + lines.length * ROW_SIZE;
    const [top, first] = [this.height, this.lines.length];
    this.parts.push({ title, group, isFolded, top, height, first, lines });
    this.lines.push(...lines);
    this.height += height;
  }

  /** Scrolls a list as little as it takes to show a row, with the heading above it. */
  reveal(list: HTMLElement | null, id: string | undefined): void {
    const part = this.parts.find(({ lines }) => lines.some((line) => line.id === id));
    const line = part?.lines.find((line) => line.id === id);
    if (!list || !part || !line) return;
    const top = part.top + line.top;
    const hidden = top + ROW_SIZE - list.clientHeight;
    if (list.scrollTop > top - HEADING_SIZE) list.scrollTop = top - HEADING_SIZE;
    else if (list.scrollTop < hidden) list.scrollTop = hidden;
  }
}

function entryOf(server: ServerView): Entry {
  return { id: server.id, text: server.name, kind: 'server', item: server };
}

function entryOfFile(file: ScopeFileView): Entry {
  return { id: fileKey(file), text: file.label, kind: 'file', item: file };
}

/** Returns the key of the row that an event is about. */
export function keyAt(target: EventTarget | null): string | null {
  const row = target instanceof Element ? target.closest('[role=option]') : null;
  return row?.getAttribute('data-key') ?? null;
}
