import type { CaseReport, RequestPath, RequestView } from '@/backend/bindings';
import type { StatusLabel } from '@/components/Glyph';
import { ranked } from '@/lib/rank';
import { VERDICTS } from '@/widgets/findings/texts';
import { REQUESTS } from './texts';

/** A line of the tree: a folder, or a request in it. */
export type TreeLine =
  | { kind: 'folder'; id: string; folder: string; name: string; depth: number; count: number }
  | { kind: 'request'; id: RequestPath; depth: number; request: RequestView };

/** The folder of a path; empty for the directory itself. */
export function folderOf(path: RequestPath): string {
  const end = path.lastIndexOf('/');
  return end < 0 ? '' : path.slice(0, end);
}

/** The last part of a path: the name of a file or a folder. */
export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** A path in a folder; in the directory itself where the folder is empty. */
export function inFolder(folder: string, name: string): string {
  return folder === '' ? name : `${folder}/${name}`;
}

/** The path of a folder as the user writes it, without slashes at its ends. */
export function trimmedFolder(text: string): string {
  return text.trim().replace(/^\/+|\/+$/g, '');
}

/** Stands before the folder in the id of its line: a request may be named as a folder. */
const FOLDER = 'folder:';

/** The folder that a line's id names; null for a request. */
export function folderOfLine(id: string): string | null {
  return id.startsWith(FOLDER) ? id.slice(FOLDER.length) : null;
}

/** The lines in view order. Requests of a folder stand before the folders in it, as they run. */
export function linesOf(requests: readonly RequestView[], folded: ReadonlySet<string>): TreeLine[] {
  const lines: TreeLine[] = [];
  const seen = new Set<string>();
  for (const request of requests) {
    const folder = folderOf(request.path);
    const parts = folder === '' ? [] : folder.split('/');
    let isHidden = false;
    parts.forEach((name, index) => {
      const path = parts.slice(0, index + 1).join('/');
      if (!seen.has(path) && !isHidden) {
        const count = requests.filter((one) => one.path.startsWith(`${path}/`)).length;
        lines.push({ kind: 'folder', id: FOLDER + path, folder: path, name, depth: index, count });
      }
      seen.add(path);
      isHidden ||= folded.has(path);
    });
    if (!isHidden) {
      lines.push({ kind: 'request', id: request.path, depth: parts.length, request });
    }
  }
  return lines;
}

/** The requests that a search and a tag leave. */
export function matching(
  requests: readonly RequestView[],
  search: string,
  tag: string | null,
): readonly RequestView[] {
  const tagged = tag === null ? requests : requests.filter(({ tags }) => tags.includes(tag));
  if (search.trim() === '') return tagged;
  const found = new Set(
    ranked(tagged, search, ({ name, path, server, subject }) => ({
      name,
      more: [path, server, subject ?? ''],
    })),
  );
  // In the order of the tree: a folder stands in it once.
  return tagged.filter((request) => found.has(request));
}

/** Every tag, sorted. */
export function tagsOf(requests: readonly RequestView[]): string[] {
  return [...new Set(requests.flatMap(({ tags }) => tags))].sort();
}

/** Returns the status of a request: that of its last run, else what its file says. */
export function statusOf(
  request: RequestView,
  report: CaseReport | undefined,
  isRunning: boolean,
): StatusLabel {
  if (isRunning) return { glyph: '◐', tone: 'busy', label: REQUESTS.running };
  const verdict = request.problems.length > 0 ? 'error' : report?.verdict;
  if (!verdict) return { glyph: '○', tone: 'idle', label: REQUESTS.notRun };
  const status = VERDICTS[verdict];
  return { ...status, label: status.label.toLowerCase() };
}
