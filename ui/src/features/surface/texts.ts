/** All texts about changes of what a server shows of itself, and findings in it. */
import type { ChangeClass, Part, SurfaceDifference, SurfaceView } from '@/backend/bindings';
import type { StatusLabel } from '@/components/Glyph';
import { formatQuantity } from '@/lib/format';

export const SURFACE = {
  title: 'Changes and findings',
  changes: 'Changes',
  findings: 'Findings',
  findingsOf: (count: number) => formatQuantity(count, 'finding'),
  show: 'Show changes',
  accept: 'Accept',
  keep: 'Keep as alarm',
  pin: 'Pin this',
  compare: 'Compare with…',
  compareTitle: (server: string) => `Compare ${server}`,
  compareMeaning:
    'Connects once more beside your connection where that is needed, and closes it afterwards.',
  counterpart: 'Compare with',
  run: 'Compare',
  comparing: 'Reading the other side…',
  close: 'Close',
  same: 'Both show the same.',
  otherServer: 'Another server',
  recording: 'As it was recorded in a session file',
  era: { modern: 'Itself in the modern era', legacy: 'Itself in the legacy era' },
  eraDetail: { modern: 'Revision 2026-07-28', legacy: 'Revision 2025-11-25 and earlier' },
  identity: (name: string) => `Itself as ${name}`,
  identityDetail: 'Another identity that is signed in',
  withExtension: (name: string) => `Itself with ${name}`,
  withoutExtension: (name: string) => `Itself without ${name}`,
  extensionDetail: 'An extension that the client declares',
  reconnect: 'Itself, connected once more',
  reconnectDetail: 'Finds lists that are another each time',
  silence: 'Silence',
  unsilence: 'Show again',
  rugPullShort: 'A text that a model reads changed after you agreed to it (possible rug pull).',
  rugPull:
    'A text that a model reads is no longer the one you agreed to. Read it before you go on: this is how a server can turn against its users (a “rug pull”).',
  difference: 'Difference',
  before: 'Before',
  after: 'After',
  none: 'No change.',
  noFindings: 'Nothing was found.',
  notStored: 'Nothing is stored to compare with.',
  pinned: (date: string) => `Compared with the list that was pinned on ${date}.`,
  stored: (date: string) => `Compared with the list of ${date}.`,
  leftOut: (count: number) => `${formatQuantity(count, 'further change')} not shown.`,
};

export const CLASSES: Record<ChangeClass, StatusLabel> = {
  breaking: { glyph: '✕', tone: 'bad', label: 'Breaking' },
  attention: { glyph: '▲', tone: 'warn', label: 'Attention' },
  compatible: { glyph: '●', tone: 'ok', label: 'Compatible' },
  note: { glyph: '○', tone: 'idle', label: 'Note' },
};

export const PARTS: Record<Part, string> = {
  server: 'Server',
  instructions: 'Instructions',
  capabilities: 'Capabilities',
  tool: 'Tool',
  prompt: 'Prompt',
  resource: 'Resource',
  template: 'Template',
};

/** Counts the changes of a comparison: `3 differences: 1 breaking, 2 to judge.` */
export function differenceSummary(difference: SurfaceDifference): string {
  const { breaking, attention, compatible, notes } = difference;
  const count = breaking + attention + compatible + notes;
  return `${formatQuantity(count, 'difference')}${detailOf(difference)}.`;
}

function detailOf({ breaking, attention }: Pick<SurfaceView, 'breaking' | 'attention'>): string {
  const parts = [
    breaking > 0 ? `${breaking} breaking` : '',
    attention > 0 ? `${attention} to judge` : '',
  ].filter((part) => part !== '');
  return parts.length > 0 ? `: ${parts.join(', ')}` : '';
}

/** Returns a sentence such as `3 changes since the pinned list: 1 breaking, 2 to judge.` */
export function summaryOf(view: SurfaceView): string {
  const count = view.breaking + view.attention + view.compatible + view.notes;
  const since = view.is_pinned ? 'since the pinned list' : 'since the list you last agreed to';
  return `${formatQuantity(count, 'change')} ${since}${detailOf(view)}.`;
}
