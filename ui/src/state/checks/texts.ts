/** All texts of the verdict on a server, wherever it is shown. */
import type { ListKind, SurfaceDifference, SurfaceView, VerdictCounts } from '@/backend/bindings';
import { formatCount, formatDate, formatQuantity } from '@/lib/format';

/** Remarks on a server that works, over which others may trip. */
export const REMARKS = {
  stdout: (lines: number, first: string) =>
    `${formatQuantity(lines, 'line')} on stdout ${lines === 1 ? 'is' : 'are'} not JSON-RPC: “${first}”`,
  stdoutMeaning: 'Text on stdout: other clients may refuse this server. Log to stderr instead.',
  tokens: (count: number) => `≈${formatQuantity(count, 'token')} of tool definitions`,
  tokensMeaning: 'Large tool definitions: each conversation pays for them in the model’s context.',
  unusable: (items: number) => `${formatQuantity(items, 'list item')} cannot be used`,
  unusableMeaning: 'List items that cannot be used: they are marked in their lists.',
  incomplete: (list: ListKind) => `The list of ${listWords(list)} is incomplete`,
  warned: (list: ListKind) => `The list of ${listWords(list)} has faults`,
};

/** Returns the words of a list's name, such as `resource templates`. */
function listWords(list: ListKind): string {
  return list.replace(/[A-Z]/, (letter) => ` ${letter.toLowerCase()}`);
}

/** Judgements of the parts of the checks, in words that stand alone. */
export const JUDGED = {
  open: 'Not checked yet.',
  running: 'Checking…',
  stopped: 'Stopped before the end.',
  works: 'Works.',
  lost: (count: number) =>
    `Lost ${count === 1 ? 'once' : `${count} times`} since it was connected.`,
  failed: (reason: string, cause: string | null) => `Failed: ${reason}. ${cause ?? ''}`.trim(),
  found: (cause: string) => `Found: ${cause}`,
  passed: 'All checks passed.',
  warnings: (count: number) => `Works, with ${formatQuantity(count, 'warning')}.`,
  notConnected: 'Seen once it is connected.',
  findings: (count: number) => (count === 0 ? 'No findings.' : formatQuantity(count, 'finding')),
  checked: (count: number) => `${formatQuantity(count, 'check')} so far`,
  notMeasured: 'Nothing measured yet.',
  calls: (ended: number, total: number, failed: number) =>
    `${formatCount(ended)} of ${formatQuantity(total, 'call')}${failed > 0 ? `, ${formatCount(failed)} failed` : ''}`,
  noTests: 'No tests yet.',
  notRun: (count: number) => `${formatQuantity(count, 'test')}, not run`,
  nothing: 'Nothing found.',
};

const COUNTED = {
  failed: 'failed',
  error: 'not judged',
  warning: 'with a warning',
  passed: 'passed',
};

/** Returns the verdicts that matter in one line: `3 tests failed, 12 passed`. */
export function countsText(counts: Partial<VerdictCounts>, noun: string): string {
  return Object.entries(COUNTED)
    .map(([verdict, word]) => [counts[verdict as keyof typeof COUNTED] ?? 0, word] as const)
    .filter(([count]) => count > 0)
    .map(([count, word], index) =>
      index === 0 ? `${formatQuantity(count, noun)} ${word}` : `${formatCount(count)} ${word}`,
    )
    .join(', ');
}

const DAY = 86_400_000;

/** Says what a server did to its lists: `3 changes since yesterday 09:31: 1 breaks callers.` */
export function changesText(view: SurfaceView, now: number): string {
  const { stored, isPinned, breaking, attention, compatible, notes } = view;
  if (stored === null) return 'Nothing is stored to compare with.';
  const day = formatDate(stored);
  const name =
    day === formatDate(now) ? 'today' : day === formatDate(now - DAY) ? 'yesterday' : day;
  const clock = new Date(stored).toTimeString().slice(0, 5);
  const count = breaking + attention + compatible + notes;
  const pinned = isPinned ? 'the version you hold to, of ' : '';
  const changes = count === 0 ? 'No changes' : formatQuantity(count, 'change');
  return `${changes} since ${pinned}${name} ${clock}${classCounts(view)}.`;
}

/** Counts the changes that matter: `: 1 breaks callers, 2 may matter to a model`. */
export function classCounts({
  breaking,
  attention,
}: Pick<SurfaceDifference, 'breaking' | 'attention'>): string {
  const parts = [
    breaking > 0 ? `${breaking} ${breaking === 1 ? 'breaks' : 'break'} callers` : '',
    attention > 0 ? `${attention} may matter to a model` : '',
  ].filter((part) => part !== '');
  return parts.length > 0 ? `: ${parts.join(', ')}` : '';
}
